//! Access tokens as authorization sees them: what they say, why they are refused, and who verifies them.

mod authenticator;
mod challenge;
mod claim_path;
mod claims;
mod invalid_token;
mod refusal;
mod scopes;

pub(crate) use authenticator::Authenticator;
pub use challenge::Challenge;
pub use claim_path::ClaimPath;
pub use claims::Claims;
pub(crate) use claims::UnfitClaim;
pub use invalid_token::InvalidToken;
pub use refusal::Refusal;
pub use scopes::Scopes;

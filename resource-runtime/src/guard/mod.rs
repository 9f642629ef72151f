//! Who asks, and what of a resource there is for them: found out once for a request, and handed to
//! the later stages as data.

#[cfg(feature = "oauth2")]
mod authenticator;
mod caller;
#[cfg(feature = "oauth2")]
mod challenge;
#[cfg(feature = "oauth2")]
mod claim_path;
#[cfg(feature = "oauth2")]
mod claims;
#[cfg(feature = "oauth2")]
mod door;
mod gate;
#[cfg(feature = "oauth2")]
mod invalid_token;
mod ownership;
mod principal;
#[cfg(feature = "oauth2")]
mod refusal;
mod rows;
#[cfg(feature = "oauth2")]
mod scopes;
mod view;

#[cfg(feature = "oauth2")]
pub(crate) use authenticator::Authenticator;
pub(crate) use caller::Caller;
#[cfg(feature = "oauth2")]
pub use challenge::Challenge;
#[cfg(feature = "oauth2")]
pub use claim_path::ClaimPath;
#[cfg(feature = "oauth2")]
pub use claims::Claims;
#[cfg(feature = "oauth2")]
pub(crate) use claims::UnfitClaim;
pub(crate) use gate::Gate;
#[cfg(feature = "oauth2")]
pub use invalid_token::InvalidToken;
pub use principal::Principal;
#[cfg(feature = "oauth2")]
pub use refusal::Refusal;
pub(crate) use rows::Rows;
#[cfg(feature = "oauth2")]
pub use scopes::Scopes;
pub(crate) use view::View;

//! Callers, and the part of a resource that is there for them.

mod caller;
mod claim_path;
mod claims;
mod ownership;
mod principal;
mod rows;
mod scopes;
mod view;

pub use caller::Caller;
pub use claim_path::ClaimPath;
pub use claims::Claims;
pub(crate) use claims::UnfitClaim;
pub use principal::Principal;
pub use rows::Rows;
pub use scopes::Scopes;
pub use view::View;

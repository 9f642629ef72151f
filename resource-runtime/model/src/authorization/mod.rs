//! Callers, and the part of a resource that is there for them.

mod caller;
mod claims;
mod scopes;
mod view;

pub use caller::{Caller, Principal};
pub(crate) use claims::UnfitClaim;
pub use claims::{ClaimPath, Claims};
pub use scopes::Scopes;
pub use view::{Rows, View};

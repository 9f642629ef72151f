//! Callers with their claims and scopes, and the view of a resource that a caller has.

mod caller;
mod claims;
mod scopes;
mod view;

pub use caller::{Caller, Principal};
pub(crate) use claims::UnfitClaim;
pub use claims::{ClaimPath, Claims};
pub use scopes::Scopes;
pub use view::{Rows, View};

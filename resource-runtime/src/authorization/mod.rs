//! Who asks, and what of a resource there is for them: found out once for a request, and handed to
//! the later stages as data.

mod caller;
#[cfg(feature = "oauth2")]
mod door;
mod gate;
mod ownership;
mod principal;
mod rows;
#[cfg(feature = "oauth2")]
mod token;
mod view;

pub(crate) use caller::Caller;
pub(crate) use gate::Gate;
pub use principal::Principal;
pub(crate) use rows::Rows;
#[cfg(feature = "oauth2")]
pub(crate) use token::{Authenticator, UnfitClaim};
#[cfg(feature = "oauth2")]
pub use token::{Challenge, ClaimPath, Claims, InvalidToken, Refusal, Scopes};
pub(crate) use view::View;

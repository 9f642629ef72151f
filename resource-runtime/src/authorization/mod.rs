//! The authentication of callers, and the part of a resource that each of them may use.
//!
//! An [`Authenticator`] reads the credentials of a request and returns [`Claims`], or with a
//! [`Refusal`], which a [`Challenge`] turns into the header `WWW-Authenticate`. The service decides what
//! those claims permit, by the scopes and owners that the resources declare. The package `resource-oauth2`
//! verifies access tokens of OAuth 2; implement the trait for any other kind of credentials. The guide to both is that
//! of the package `resource-authorization-server`, in `docs/protecting.md`.

mod authenticator;
mod authorizer;
mod challenge;
mod refusal;

pub(crate) use resource_model::authorization::{Caller, Rows, View};
pub use resource_model::authorization::{ClaimPath, Claims, Principal, Scopes};

pub use authenticator::{ApiAddress, Authenticator, SecurityScheme};
pub(crate) use authorizer::{Authentication, Authorizer};
pub use challenge::Challenge;
pub use refusal::{InvalidToken, Refusal};

//! Callers, and the part of a resource that is there for them.
//!
//! An [`Authenticator`] reads the credentials of a request and answers with [`Claims`], or with a [`Refusal`], which a
//! [`Challenge`] tells the client in `WWW-Authenticate`. The service decides what those claims permit, by the scopes
//! and owners that the resources declare. The package `resource-oauth2` verifies access tokens of OAuth 2;
//! implement the trait for any other kind of credentials.

mod authenticator;
mod authorizer;
mod caller;
mod challenge;
mod claim_path;
mod claims;
mod invalid_token;
mod ownership;
mod principal;
mod refusal;
mod rows;
mod scopes;
mod view;

pub use authenticator::{ApiAddress, Authenticator, SecurityScheme};
pub(crate) use authorizer::{Authentication, Authorizer};
pub(crate) use caller::Caller;
pub use challenge::Challenge;
pub use claim_path::ClaimPath;
pub use claims::Claims;
pub(crate) use claims::UnfitClaim;
pub use invalid_token::InvalidToken;
pub use principal::Principal;
pub use refusal::Refusal;
pub(crate) use rows::Rows;
pub use scopes::Scopes;
pub(crate) use view::View;

//! OAuth 2: which access tokens are valid, and what they permit.
//!
//! This stands beside the way of a request. [`bearer_token`] finds the token in the headers, a
//! [`TokenVerifier`] finds out what it says, a [`Refusal`] is why a request is not let through, and a
//! [`Challenge`] tells the client so in `WWW-Authenticate`.
//!
//! Tokens come from issuers that are named, one by one: signed tokens (RFC 9068) are verified
//! with the keys that their issuer publishes, opaque ones by asking it (RFC 7662). Every default
//! is the strict one; nothing is fetched that a token names.

mod algorithm;
mod authorization;
mod bearer;
mod builder;
mod clock;
mod crypto;
mod fetch;
mod introspection;
mod issuer;
mod keys;
#[cfg(feature = "oauth2-server")]
pub mod server;
mod token;
mod verifier;
mod well_known;

pub use algorithm::Algorithm;
pub use authorization::Authorization;
pub use bearer::bearer_token;
pub use builder::TokenVerifierBuilder;
pub use clock::Clock;
pub use introspection::Introspection;
pub use issuer::TrustedIssuer;
pub use token::TokenProfile;
pub use verifier::TokenVerifier;

pub use crate::authorization::{Challenge, ClaimPath, Claims, InvalidToken, Refusal, Scopes};

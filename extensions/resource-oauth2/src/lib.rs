#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod algorithm;
mod authorization;
mod bearer;
mod builder;
mod clock;
mod crypto;
mod fetch;
mod introspection;
mod issuer;
pub mod issuing;
mod keys;
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

pub use resource_runtime::authorization::Challenge;
pub use resource_runtime::authorization::ClaimPath;
pub use resource_runtime::authorization::Claims;
pub use resource_runtime::authorization::InvalidToken;
pub use resource_runtime::authorization::Refusal;
pub use resource_runtime::authorization::Scopes;

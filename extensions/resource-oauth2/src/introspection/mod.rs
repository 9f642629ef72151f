//! Verification of opaque tokens by introspection (RFC 7662).

mod breaker;
mod endpoint;
mod introspector;
mod settings;

pub use endpoint::form_encoded;
pub(super) use introspector::Introspector;
pub use settings::Introspection;

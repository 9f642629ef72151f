//! Tokens that only their issuer can read: it is asked what they are (RFC 7662).

mod breaker;
mod endpoint;
mod introspector;
mod settings;

pub(super) use introspector::Introspector;
pub use settings::Introspection;

//! Trusted issuers: their settings, and the verification of their signed tokens.

pub(super) mod namespaces;
mod presets;
mod trusted;
mod verifying;

pub(super) use trusted::KeyOrigin;
pub use trusted::TrustedIssuer;
pub(super) use verifying::VerifyingIssuer;

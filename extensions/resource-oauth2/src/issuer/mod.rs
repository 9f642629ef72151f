//! The issuers that are trusted: as they are described, and as their tokens are verified.

pub(super) mod namespaces;
mod presets;
mod trusted;
mod verifying;

pub(super) use trusted::KeyOrigin;
pub use trusted::TrustedIssuer;
pub(super) use verifying::VerifyingIssuer;

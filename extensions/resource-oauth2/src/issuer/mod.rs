//! The issuers that are trusted: as they are described, and as their tokens are verified.

mod presets;
pub(super) mod subjects;
mod trusted;
mod verifying;

pub(super) use trusted::KeyOrigin;
pub use trusted::TrustedIssuer;
pub(super) use verifying::VerifyingIssuer;

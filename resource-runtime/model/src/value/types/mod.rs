//! The Rust types that a field may have, one file for each crate or group of types.

mod json;
mod scalar;

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "uuid")]
mod uuid;

pub use json::merge_patch;

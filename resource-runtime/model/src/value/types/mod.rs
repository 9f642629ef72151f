//! The types that a field may have, a file for those of one crate or nature.

mod json;
mod scalar;

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "uuid")]
mod uuid;

//! The setting of origins, which CORS and caching share.

/// The setting that allows every origin.
pub(crate) const ANY_ORIGIN: &str = "*";

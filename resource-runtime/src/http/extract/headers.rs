//! The names of headers that the package `http` does not have.

use axum::http::HeaderName;

/// The forms of patches that a path takes (RFC 5789, section 3.1).
pub(crate) const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// The moment from which on clients should use something else (RFC 9745).
pub(crate) const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// The key of a request that may be sent again (draft-ietf-httpapi-idempotency-key-header).
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The preferences of a client (RFC 7240).
pub(crate) const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The preference that a response follows.
pub(crate) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The moment from which on the resource may be gone (RFC 8594).
pub(crate) const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Tells that the response is that of an earlier request with the same idempotency key.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

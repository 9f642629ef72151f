//! Middleware of all routes: request ids, errors, time limits, metrics, caching, compression and CORS.

mod caching;
#[cfg(feature = "compression")]
mod compression;
#[cfg(feature = "cors")]
mod cors;
mod finish;
mod request_address;
mod request_id;
mod timeout;
mod trace;

pub(crate) use caching::{Caching, VariesBy};
#[cfg(feature = "compression")]
pub(crate) use compression::compressed;
#[cfg(feature = "cors")]
pub(crate) use cors::readable_by;
pub(crate) use finish::MiddlewareSettings;
pub(super) use finish::finish;
pub(super) use request_address::LOCALHOST;
pub(crate) use request_address::{RequestAddress, nested_under, original_uri};
pub(crate) use request_id::{
    REQUEST_ID, fresh as fresh_request_id, header as request_id_header, request_id,
};
/// The setting of origins that allows every one, which CORS and caching share.
pub(crate) const ANY_ORIGIN: &str = "*";

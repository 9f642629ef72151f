//! Middleware of all routes: request ids, errors, time limits, metrics, caching, compression and CORS.

mod caching;
#[cfg(feature = "compression")]
mod compression;
#[cfg(feature = "cors")]
mod cors;
mod origin;
mod request_id;
mod response;
mod timeout;

pub(crate) use caching::{ANY_ORIGIN, Caching, VariesBy};
#[cfg(feature = "compression")]
pub(crate) use compression::compressed;
#[cfg(feature = "cors")]
pub(crate) use cors::readable_by;
pub(super) use origin::LOCALHOST;
pub(crate) use origin::Origin;
#[cfg(feature = "openapi")]
pub(crate) use origin::nested_under;
pub(crate) use request_id::{
    REQUEST_ID, fresh as fresh_request_id, header as request_id_header, request_id,
};
pub(crate) use response::ResponseSettings;
pub(super) use response::finish;
pub(crate) use timeout::RequestMiddleware;

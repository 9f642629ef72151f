//! The axum routes: built once from the registered resources, `latest` among them.

mod around;
mod authority;
mod caching;
mod catalogue;
#[cfg(feature = "compression")]
mod compression;
#[cfg(feature = "cors")]
mod cors;
mod equivalent;
mod fallback;
mod finish;
mod offered;
mod origin;
mod pages;
mod request_id;
mod router;
mod routes;

pub(crate) use around::Around;
pub(crate) use authority::{is_same as is_same_authority, is_valid as is_valid_authority};
pub(crate) use caching::{Caching, VariesBy};
pub(crate) use catalogue::{Catalogue, Entry};
#[cfg(feature = "compression")]
pub(crate) use compression::compressed;
#[cfg(feature = "cors")]
pub(crate) use cors::{ANY as ANY_ORIGIN, readable_by};
pub(crate) use finish::Answers;
pub(crate) use offered::Offered;
pub(crate) use origin::Origin;
#[cfg(feature = "openapi")]
pub(crate) use origin::nested_under;
pub(crate) use request_id::{
    REQUEST_ID, fresh as fresh_request_id, header as request_id_header, request_id,
};
#[cfg(any(feature = "metrics", feature = "oauth2-server"))]
pub(crate) use router::finished;
pub(crate) use router::{Documents, Mount, router};

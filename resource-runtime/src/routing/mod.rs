//! The axum routes: built once from the registered resources, `latest` among them.

mod catalogue;
mod fallback;
mod finish;
mod pages;
mod request_id;
mod router;
mod routes;

pub(crate) use catalogue::{Catalogue, Entry};
pub(crate) use finish::Answers;
#[cfg(feature = "openapi")]
pub(crate) use router::Offered;
#[cfg(feature = "oauth2-server")]
pub(crate) use router::finished;
pub(crate) use router::{Documents, Mount, router};
pub use routes::Routes;

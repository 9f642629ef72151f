//! The HTTP layer: routes, handlers, middleware, readers of requests and writers of responses.

mod deprecation;
mod equivalent;
mod export;
pub(crate) mod extract;
mod fallback;
mod item;
mod list;
pub(crate) mod middleware;
mod pages;
mod preference;
mod resource;
pub(crate) mod respond;
mod router;
mod served_versions;

pub(crate) use pages::OfferedDocuments;
pub(crate) use resource::ServedResource;
pub(crate) use router::{Documents, Mount, router, with_middleware};
pub(crate) use served_versions::ServedVersions;

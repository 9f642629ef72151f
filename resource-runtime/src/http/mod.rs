//! The HTTP layer: routes, handlers, middleware, readers of requests and writers of responses.

mod equivalent;
pub(crate) mod extract;
mod fallback;
mod item;
mod list;
pub(crate) mod middleware;
mod pages;
mod resource;
pub(crate) mod respond;
mod router;
mod version_index;

pub(crate) use pages::DocumentLinks;
pub(crate) use resource::ServedResource;
pub(crate) use router::{Documents, Mount, finished, router};
pub(crate) use version_index::{Entry, VersionIndex};

//! The HTTP layer: routes, handlers, middleware, readers of requests and writers of responses.

mod create;
mod delete;
mod equivalent;
pub(crate) mod extract;
mod fallback;
mod list;
pub(crate) mod middleware;
mod pages;
mod resource;
pub(crate) mod respond;
mod retrieve;
mod router;
mod update;
mod version_index;

use create::create;
use delete::delete;
use list::list;
pub(crate) use pages::Offered;
pub(crate) use resource::ServedResource;
use retrieve::retrieve;
pub(crate) use router::{Documents, Mount, finished, router};
use update::update;
pub(crate) use version_index::{Entry, VersionIndex};

//! Documentation pages: an index, and a reference that sends requests; nothing on them is from other sites.

mod asset;
mod index;
mod routes;

pub(crate) use index::{Overview, Volume};
pub(crate) use routes::router;

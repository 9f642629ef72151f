//! Pages for people: what there is, and a reference that sends requests. Nothing on them is from
//! elsewhere.

mod asset;
mod index;
mod routes;

pub(crate) use index::{Overview, Volume};
pub(crate) use routes::router;

//! Pages for people: what there is, and a reference that sends requests. Nothing on them is from
//! elsewhere.

mod asset;
mod index;
mod reference;
mod routes;
mod volume;

pub(crate) use routes::router;
pub(crate) use volume::{Overview, Volume};

//! The five operations: a caller and an input become an outcome. They know no HTTP.

mod attempts;
mod checked;
mod client;
mod create;
mod delete;
mod diagnose;
mod diverted;
mod hooked;
mod keys;
mod list;
mod named;
mod retrieve;
mod service;
mod taken;
mod update;
mod write;

pub(crate) use create::create;
pub(crate) use delete::delete;
pub(crate) use list::list;
pub(crate) use retrieve::retrieve;
pub(crate) use service::Service;
pub(crate) use update::{require_item, update};

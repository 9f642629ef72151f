//! The five operations over HTTP: a request becomes the input of an operation, its outcome an answer.

mod create;
mod delete;
mod list;
mod resource;
mod retrieve;
mod update;

pub(crate) use create::create;
pub(crate) use delete::delete;
pub(crate) use list::list;
pub(crate) use resource::ServedResource;
pub(crate) use retrieve::retrieve;
pub(crate) use update::update;

//! The five operations, each a walk through the stages of a request.

mod attempts;
mod checked;
mod client;
mod create;
mod delete;
mod diagnose;
mod hooked;
mod keys;
mod list;
mod named;
mod retrieve;
mod service;
mod taken;
mod update;
mod write;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use retrieve::retrieve;
pub(crate) use service::Service;
pub use update::update;

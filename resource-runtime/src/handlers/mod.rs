//! Extractors and responses for the service's own routes, which refuse and respond as resources do.
//!
//! They are plain axum: use them in handlers of [`ApiBuilder::routes`](crate::ApiBuilder::routes), or of any router
//! whose state has an [`Api`](crate::Api) (`FromRef`). The guide [`own_routes`](crate::guides::own_routes) shows them at
//! work. An [`Error`](crate::Error) of a handler becomes the response that suits its kind:
//!
//! | kind | status and code |
//! |---|---|
//! | `Custom` | those of the [`CustomError`](crate::CustomError) |
//! | `NotFound` | 404, 10001 |
//! | `Refused`, `NotUnique`, `MissingReference`, `StillInUse` | 400 with the code of the refusal |
//! | `Unauthenticated`, `Forbidden` | 401 and 403, with their challenge |
//! | `Conflict`, `Unavailable` | 503, 10090 |
//! | any other | 500, with the cause in the log alone |
//!
//! The words are those of the error, but for one of [`Api::items`](crate::Api::items) that names an attribute which takes a
//! scope to know, or one of a table that is not served: its client gets the title of the code, and the log the words.

mod access;
mod body;
mod partial;
mod reply;

pub use access::{Access, PublicAccess};
pub use body::{Body, Path};
pub use partial::Partial;
pub use reply::Reply;

//! What can go wrong, for three readers: the client ([`ApiError`]), the developer who sets the
//! service up ([`Error`]), and the log ([`DatabaseFailure`], [`Failure`]).

mod api_error;
mod code;
mod database;
mod failure;
mod nearest;
mod panic;
mod public;

pub(crate) use api_error::{ApiError, FieldError};
pub(crate) use code::{Entry, ErrorCode};
pub(crate) use database::{DatabaseFailure, Violation};
pub(crate) use failure::Cause;
pub(crate) use failure::Failure;
pub use nearest::{did_you_mean, excerpt};
pub use panic::panic_text;
pub use public::{Error, ErrorKind, Problem};

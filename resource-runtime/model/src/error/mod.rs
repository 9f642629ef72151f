//! Errors for three readers: the client ([`ApiError`]), the developer who sets the service up
//! ([`Error`]), and the log ([`DatabaseFailure`]).

mod api_error;
mod code;
mod custom;
mod database;
mod public;
mod suggestions;

use std::any::Any;

pub use api_error::{ApiError, FieldError};
pub use code::{Entry, ErrorCode};
pub use custom::CustomError;
pub use database::{Cause, DatabaseFailure, DatabaseResult, Limit, Violation};
pub use public::{Error, ErrorKind, Problem};
pub use suggestions::{did_you_mean, nearest, truncate_for_display};

/// The message of a panic.
#[must_use]
pub fn panic_text(cause: &(dyn Any + Send)) -> &str {
    // `panic!` carries a `&str` where its message is a literal, and a `String` where it has arguments.
    let text = cause.downcast_ref::<&str>().copied();
    let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    // `panic_any` may carry any other type.
    text.unwrap_or("the cause is no text")
}

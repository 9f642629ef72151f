//! What can go wrong, for three readers: the client ([`ApiError`]), the developer who sets the
//! service up ([`Error`]), and the log ([`DatabaseFailure`]).

mod api_error;
mod code;
mod database;
mod nearest;
mod panic;
mod public;

pub use api_error::{ApiError, FieldError};
pub use code::{Entry, ErrorCode};
pub use database::{DatabaseFailure, Violation};
pub use nearest::{did_you_mean, excerpt};
pub use panic::panic_text;
pub use public::{Error, ErrorKind, Problem};

//! Errors of a service's own, with codes from 20000 on.

use http::StatusCode;

use super::{ApiError, Entry, Error, ErrorCode};

/// An error of the service's own: a code, a status and a title, which each response adds a description to.
///
/// A handler answers it as an [`Error`], a validator or a hook as a `HookError`. `ApiBuilder::errors` registers it, which
/// gives it a page below `/errors` and a place in the OpenAPI documents.
///
/// ```
/// use resource_runtime::{CustomError, ErrorKind, HookResult};
///
/// const SOLD_OUT: CustomError = CustomError::new(20001, 409, "Sold out")
///     .causes("All seats of the concert are taken.")
///     .cures("Choose another concert.");
///
/// fn reserve(seats: u32, left: u32) -> HookResult {
///     if seats > left {
///         return Err(SOLD_OUT.because(format!("only {left} seats are left")).into());
///     }
///     Ok(())
/// }
///
/// let error = reserve(3, 2).unwrap_err().into_error();
/// assert_eq!((error.kind(), error.code()), (ErrorKind::Custom, Some(20001)));
/// assert_eq!(error.to_string(), "only 2 seats are left");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CustomError {
    pub(super) entry: Entry,
    pub(super) causes: &'static str,
    pub(super) cures: &'static str,
}

impl CustomError {
    /// An error with this code, HTTP status and title: the situation in a few words.
    ///
    /// # Panics
    ///
    /// The code is below 20000, or the status is none of 400 to 499: in a constant, an error of the compiler.
    #[must_use]
    pub const fn new(code: u16, status: u16, title: &'static str) -> Self {
        assert!(
            code >= 20_000,
            "the code of a custom error is 20000 or greater; lower ones are those of the runtime"
        );
        assert!(
            status >= 400 && status <= 499,
            "the status of a custom error is one of 400 to 499, which tell of a mistake of the client"
        );
        let status = match StatusCode::from_u16(status) {
            Ok(status) => status,
            Err(_) => StatusCode::BAD_REQUEST,
        };
        Self {
            entry: Entry {
                number: code,
                status,
                title,
                help: "",
                causes: &[],
                cures: &[],
                request: "",
                description: "",
                header: None,
            },
            causes: "",
            cures: "",
        }
    }

    crate::setters! {
        /// The situations that lead to the error, for its page. Text in backticks is shown as code.
        causes(causes: &'static str) => causes = causes;

        /// The remedies, for its page.
        cures(cures: &'static str) => cures = cures;
    }

    /// The error with a description of this one case, which its client reads.
    #[must_use]
    pub fn because(&'static self, description: impl Into<String>) -> Error {
        Error::of_refusal(ApiError::new(ErrorCode::Custom(self), description))
    }
}

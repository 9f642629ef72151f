use crate::error::{ApiError, ErrorCode};

/// What is wrong with an expression, and the byte at which it starts to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    position: usize,
    message: String,
}

impl Mistake {
    pub(super) fn new(position: usize, message: impl Into<String>) -> Self {
        Self {
            position,
            message: message.into(),
        }
    }

    /// The error for the client: the parameter and the column, counted in characters from 1.
    pub(super) fn refuse(&self, code: ErrorCode, parameter: &str, text: &str) -> ApiError {
        let before = text.get(..self.position).unwrap_or(text);
        let column = before.chars().count() + 1;
        let message = &self.message;
        ApiError::new(code, format!("`{parameter}`, column {column}: {message}"))
    }
}

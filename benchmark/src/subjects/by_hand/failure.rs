//! Failures of the service by hand, as answers to clients.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The reason for which a request fails.
pub(super) enum Failure {
    NoSuchItem,
    Invalid(&'static str),
    Database(sqlx::Error),
}

#[derive(Serialize)]
#[allow(
    clippy::struct_field_names,
    reason = "clients know them by these names"
)]
struct Problem<'a> {
    error_code: u32,
    error_description: &'a str,
    error_details: String,
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::NoSuchItem => problem(StatusCode::NOT_FOUND, 10001, "there is no such item"),
            Self::Invalid(description) => problem(StatusCode::BAD_REQUEST, 10010, description),
            Self::Database(sqlx::Error::Database(error)) if error.is_unique_violation() => {
                problem(StatusCode::BAD_REQUEST, 10030, "the name is taken")
            }
            Self::Database(error) => {
                eprintln!("by hand: {error}");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

fn problem(status: StatusCode, error_code: u32, error_description: &str) -> Response {
    let problem = Problem {
        error_code,
        error_description,
        error_details: format!("/errors/{error_code}"),
    };
    (status, Json(problem)).into_response()
}

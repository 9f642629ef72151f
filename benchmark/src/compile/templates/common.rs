//! Pages and failures that all resources by hand share.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub struct Paging {
    #[serde(default)]
    pub offset: u32,
    #[serde(default = "ten")]
    pub limit: u32,
}

const fn ten() -> u32 {
    10
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total_items: i64,
}

pub enum Failure {
    NoSuchItem,
    Invalid(&'static str),
    Database(sqlx::Error),
}

#[derive(Serialize)]
struct Problem {
    error_code: u32,
    error_description: String,
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, error_code, error_description) = match self {
            Self::NoSuchItem => (StatusCode::NOT_FOUND, 10001, "there is no such item".to_owned()),
            Self::Invalid(what) => (StatusCode::BAD_REQUEST, 10010, what.to_owned()),
            Self::Database(error) => (StatusCode::INTERNAL_SERVER_ERROR, 0, error.to_string()),
        };
        (status, Json(Problem { error_code, error_description })).into_response()
    }
}

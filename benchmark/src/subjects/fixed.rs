//! The subject `fixed`: axum answering bytes that it has in memory.

use std::fs;
use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::routing::{get, post, put};
use clap::ValueEnum as _;

use crate::Outcome;
use crate::operation::Operation;

/// Answers each reading operation with the file of its name within the folder.
pub(super) fn router(folder: &str) -> Outcome<Router> {
    let mut router = Router::new()
        .route(&path(Operation::Create), post(created))
        .route(&path(Operation::Update), put(updated));
    for operation in Operation::value_variants() {
        if operation.reads() {
            let body = Bytes::from(fs::read(Path::new(folder).join(operation.name()))?);
            let answer = ([(CONTENT_TYPE, "application/json")], body);
            router = router.route(&path(*operation), get(async move || answer.clone()));
        }
    }
    Ok(router)
}

pub(crate) fn path(operation: Operation) -> String {
    format!("/{}", operation.name())
}

async fn created(_: Bytes) -> (StatusCode, [(axum::http::HeaderName, &'static str); 1]) {
    (
        StatusCode::CREATED,
        [(LOCATION, "/api/1.0/settings/100001")],
    )
}

async fn updated(_: Bytes) -> StatusCode {
    StatusCode::NO_CONTENT
}

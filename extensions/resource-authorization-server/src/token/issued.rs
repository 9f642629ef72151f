use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::super::answer::json_answer;
use super::super::store::Words;

/// What a client gets (RFC 6749, section 5.1).
pub(super) struct Issued {
    pub(super) access_token: String,
    pub(super) lifetime: Duration,
    pub(super) scope: Words,
    pub(super) refresh_token: Option<String>,
}

impl Issued {
    pub(super) fn into_response(self) -> Response {
        let mut body = json!({
            "access_token": self.access_token,
            "token_type": "Bearer",
            "expires_in": self.lifetime.as_secs(),
            "scope": self.scope.as_str(),
        });
        if let (Some(token), Some(body)) = (self.refresh_token, body.as_object_mut()) {
            body.insert("refresh_token".to_owned(), token.into());
        }
        json_answer(StatusCode::OK, &body)
    }
}

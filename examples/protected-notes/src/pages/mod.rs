//! The pages for users: plain HTML without scripts.

mod authorize;
mod home;
mod limits;
mod login;
mod logout;
mod page;
mod sessions;
mod style;
mod visit;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::X_CONTENT_TYPE_OPTIONS;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};

use crate::people::People;
pub use authorize::{consent, login_for};
use limits::Limits;
pub use sessions::sessions;
pub use visit::Visit;

/// Shared state of the pages.
struct Site {
    people: Arc<People>,
    limits: Limits,
    base_url: String,
}

/// Greatest length of a form in bytes: a name and a password need no more.
const LONGEST_FORM: usize = 4096;

pub fn router(people: Arc<People>, base_url: &str) -> Router {
    let site = Site {
        people,
        limits: Limits::new(),
        base_url: base_url.to_owned(),
    };
    Router::new()
        .route("/", get(home::show))
        .route("/login", get(login::show).post(login::log_in))
        .route("/logout", post(logout::log_out))
        .route(style::PATH, get(style::show))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(map_response(as_it_is_called))
        .with_state(Arc::new(site))
}

/// Adds `nosniff`, so that browsers use the declared content type instead of guessing one.
async fn as_it_is_called(mut answer: Response) -> Response {
    let nosniff = HeaderValue::from_static("nosniff");
    answer.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, nosniff);
    answer
}

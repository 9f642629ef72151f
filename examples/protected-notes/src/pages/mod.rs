//! The pages for users: plain HTML without scripts.

mod consent;
mod login;
mod sessions;

use std::error::Error;
use std::sync::Arc;

use askama::Template;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::middleware::map_response;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Form, Router};
use resource_runtime::shared::STYLE_SHEET;
use serde::Deserialize;
use tower_sessions::Session;

use crate::Outcome;
use crate::notes::SCOPES;
use crate::people::People;
pub use consent::{consent, login_for};
pub use sessions::{login, session, sessions};

/// Content security policy: the page loads only our own style sheet, cannot be framed, and submits forms
/// only to this site.
const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

/// Shared state of the pages.
struct Site {
    people: People,
    limits: login::Limits,
    base_url: String,
}

pub fn router(people: People, base_url: &str) -> Router {
    let site = Site {
        people,
        limits: login::Limits::new(),
        base_url: base_url.to_owned(),
    };
    Router::new()
        .route("/", get(home))
        .route("/login", get(login::show).post(login::log_in))
        .route("/logout", get(async || Redirect::to("/")).post(log_out))
        .route("/style.css", get(style))
        // A name and a password need no more bytes.
        .layer(DefaultBodyLimit::max(4096))
        // Browsers use the declared content type instead of guessing one.
        .layer(map_response(|answer: Response| async {
            ([(header::X_CONTENT_TYPE_OPTIONS, "nosniff")], answer)
        }))
        .with_state(Arc::new(site))
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    /// The name of the user who is logged in, and the token of the form that logs out.
    login: Option<(String, String)>,
    base_url: &'a str,
}

/// `GET /`: the page with the login, if there is one, and the steps to get a token.
async fn home(State(site): State<Arc<Site>>, session: Session) -> Result<Response, Failed> {
    let login = match sessions::login(&session).await? {
        Some(login) => Some((login.name, sessions::form_token(&session).await?)),
        None => None,
    };
    let base_url = &site.base_url;
    Ok(page(StatusCode::OK, POLICY, &Home { login, base_url })?)
}

#[derive(Deserialize)]
struct LogoutForm {
    #[serde(default)]
    form_token: String,
}

/// `POST /logout`. A form of another site, or an expired one, only redirects home, where there is a valid
/// form.
async fn log_out(session: Session, Form(sent): Form<LogoutForm>) -> Result<Redirect, Failed> {
    if sessions::has_sent(&session, &sent.form_token).await? {
        session.flush().await?;
    }
    Ok(Redirect::to("/"))
}

/// `GET /style.css`: the style of the service's other pages, such as `/docs`, and that of forms.
async fn style() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=300"),
    ];
    let style = [STYLE_SHEET, include_str!("../../templates/style.css")];
    (headers, style.concat())
}

/// A page as a response, with the headers that protect it.
fn page(status: StatusCode, policy: &'static str, template: &impl Template) -> Outcome<Response> {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((status, headers, Html(template.render()?)).into_response())
}

/// An internal error, whose cause is only in the log.
struct Failed(Box<dyn Error + Send + Sync>);

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for Failed {
    fn from(cause: E) -> Self {
        Self(cause.into())
    }
}

#[derive(Template)]
#[template(path = "failed.html")]
struct FailedPage;

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        tracing::error!(cause = %self.0, "a page failed");
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        page(status, POLICY, &FailedPage).unwrap_or_else(|_| status.into_response())
    }
}

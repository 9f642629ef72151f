//! The pages of an authorization: a login on behalf of a client, and the consent to its request.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use resource_authorization_server::{ConsentPrompt, PendingRequest};
use tower_sessions::Session;

use super::login::LoginForm;
use super::page;
use super::sessions::form_token;
use crate::Outcome;
use crate::notes::SCOPES;

/// The policy without `form-action`, which the authorization server sets: consent redirects to the client.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The login page, which then leads back to the client's request.
pub async fn login_for(session: &Session, pending: &PendingRequest) -> Outcome<Response> {
    let path = pending.return_path();
    let form = LoginForm {
        problem: "",
        name: "",
        client_name: pending.client_name(),
        // The form contains only the id, and `login.rs` builds the path, so no form can redirect elsewhere.
        pending: path.rsplit('=').next().unwrap_or_default(),
        form_token: form_token(session).await?,
    };
    page(StatusCode::OK, POLICY, &form)
}

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentForm<'a> {
    prompt: &'a ConsentPrompt,
    /// The host of the client's address.
    destination: &'a str,
    form_token: String,
}

/// Asks whether the client may do what it asks for.
pub async fn consent(session: &Session, prompt: &ConsentPrompt) -> Outcome<Response> {
    let uri = prompt.redirect_uri();
    let (_, behind) = uri.split_once("://").unwrap_or(("", uri));
    let form = ConsentForm {
        prompt,
        destination: behind.split(['/', '?']).next().unwrap_or(behind),
        form_token: form_token(session).await?,
    };
    page(StatusCode::OK, POLICY, &form)
}

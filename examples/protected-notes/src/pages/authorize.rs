//! The pages of an authorization: a login on behalf of a client, and the consent to its request.

use askama::Template;
use axum::response::Response;
use resource_authorization_server::{ConsentPrompt, PendingRequest};

use super::Visit;
use super::login::LoginForm;
use super::page::page_of_authorization;
use crate::Outcome;
use crate::notes::SCOPES;

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentForm<'a> {
    client_name: &'a str,
    destination: &'a str,
    person: &'a str,
    scopes: Vec<&'static str>,
    action: &'static str,
    fields: [(&'static str, &'a str); 2],
    form_token: String,
}

/// The login page, which then leads back to the client's request.
pub async fn login_for(visit: &Visit, pending: &PendingRequest) -> Outcome<Response> {
    let path = pending.return_path();
    // The form contains only the id, and `login.rs` builds the path, so no form can redirect elsewhere.
    let id = path.rsplit('=').next().unwrap_or_default();
    page_of_authorization(&LoginForm {
        problem: "",
        name: "",
        client_name: pending.client_name(),
        pending: id,
        form_token: visit.form_token().await?,
    })
}

/// Asks whether the client may do what it asks for.
pub async fn consent(visit: &Visit, prompt: &ConsentPrompt) -> Outcome<Response> {
    let granted = SCOPES
        .iter()
        .filter(|(scope, _)| prompt.scopes().contains(scope));
    page_of_authorization(&ConsentForm {
        client_name: prompt.client_name(),
        destination: host(prompt.redirect_uri()),
        person: prompt.user().subject(),
        scopes: granted.map(|(_, meaning)| *meaning).collect(),
        action: ConsentPrompt::ACTION,
        fields: prompt.fields(),
        form_token: visit.form_token().await?,
    })
}

/// The host of an address, shown to users as its destination.
fn host(uri: &str) -> &str {
    let (_, behind) = uri.split_once("://").unwrap_or(("", uri));
    behind.split(['/', '?']).next().unwrap_or(behind)
}

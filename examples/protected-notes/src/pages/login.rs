//! The login page and the handler of its form.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{Extensions, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use resource_authorization_server::{CallerAddress, ConsentPrompt};
use serde::Deserialize;

use super::page::{Failed, page};
use super::{Site, Visit};
use crate::Outcome;

/// The form, and the problem of the previous submission.
#[derive(Template)]
#[template(path = "login.html")]
pub(super) struct LoginForm<'a> {
    pub(super) problem: &'static str,
    pub(super) name: &'a str,
    /// The client for which the user logs in; empty for this site.
    pub(super) client_name: &'a str,
    pub(super) pending: &'a str,
    pub(super) form_token: String,
}

/// The submitted form. It contains only the id of the client's request, so that nobody can forge a
/// redirect target.
#[derive(Deserialize)]
pub(super) struct Sent {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    pending: String,
    #[serde(default)]
    form_token: String,
}

/// The reason of a failed login. An unknown name gets the same response as a wrong password.
#[derive(Clone, Copy)]
struct Refusal {
    status: StatusCode,
    problem: &'static str,
}

const STALE: Refusal = Refusal {
    status: StatusCode::FORBIDDEN,
    problem: "This page was open for too long, or came from somewhere else. Please try again.",
};

const WRONG: Refusal = Refusal {
    status: StatusCode::UNPROCESSABLE_ENTITY,
    problem: "The name or the password is not right.",
};

const TOO_OFTEN: Refusal = Refusal {
    status: StatusCode::TOO_MANY_REQUESTS,
    problem: "There were too many attempts. Please wait a minute and try again.",
};

/// `GET /login`
pub(super) async fn show(visit: Visit) -> Result<Response, Failed> {
    let form = LoginForm {
        problem: "",
        name: "",
        client_name: "",
        pending: "",
        form_token: visit.form_token().await?,
    };
    Ok(page(StatusCode::OK, &form)?)
}

/// `POST /login`
pub(super) async fn log_in(
    State(site): State<Arc<Site>>,
    request: Extensions,
    visit: Visit,
    Form(sent): Form<Sent>,
) -> Result<Response, Failed> {
    // Another site must not be able to log its visitor in as a user of its choice (login CSRF).
    if !visit.has_sent(&sent.form_token).await? {
        return Ok(refused(&visit, &sent, STALE).await?);
    }
    let address = CallerAddress::of(&request).ok_or("the address of the caller is not known")?;
    if let Err(seconds) = site.limits.check(address, &sent.name) {
        let page = refused(&visit, &sent, TOO_OFTEN).await?;
        return Ok(([(RETRY_AFTER, seconds.to_string())], page).into_response());
    }
    let person = site
        .people
        .log_in(&sent.name, sent.password.clone())
        .await?;
    let Some(person) = person else {
        tracing::info!("a login failed");
        return Ok(refused(&visit, &sent, WRONG).await?);
    };
    visit.begin(person.name).await?;
    Ok(Redirect::to(&sent.next()).into_response())
}

async fn refused(visit: &Visit, sent: &Sent, refusal: Refusal) -> Outcome<Response> {
    let form = LoginForm {
        problem: refusal.problem,
        name: &sent.name,
        client_name: "",
        pending: &sent.pending,
        form_token: visit.form_token().await?,
    };
    page(refusal.status, &form)
}

impl Sent {
    /// The path of the redirect: back to the client's request, or home.
    fn next(&self) -> String {
        // The id becomes part of a path; other characters could redirect elsewhere.
        let permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if self.pending.is_empty() || !self.pending.bytes().all(permitted) {
            return "/".to_owned();
        }
        format!("{}?pending={}", ConsentPrompt::ACTION, self.pending)
    }
}

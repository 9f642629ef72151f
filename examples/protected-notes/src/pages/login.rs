//! The login page, the handler of its form, and the limits of attempts.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{Extensions, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use governor::clock::Clock as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use resource_authorization_server::{CallerAddress, ConsentPrompt};
use serde::Deserialize;
use tower_sessions::Session;

use super::{Failed, POLICY, Site, page, sessions};

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
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    name: String,
    password: String,
    pending: String,
    form_token: String,
}

/// `GET /login`
pub(super) async fn show(session: Session) -> Result<Response, Failed> {
    form(StatusCode::OK, "", &session, &Sent::default()).await
}

/// `POST /login`
pub(super) async fn log_in(
    State(site): State<Arc<Site>>,
    request: Extensions,
    session: Session,
    Form(sent): Form<Sent>,
) -> Result<Response, Failed> {
    // Another site must not be able to log its visitor in as a user of its choice (login CSRF).
    if !sessions::has_sent(&session, &sent.form_token).await? {
        let problem =
            "This page was open for too long, or came from somewhere else. Please try again.";
        return form(StatusCode::FORBIDDEN, problem, &session, &sent).await;
    }
    let address = CallerAddress::of(&request).ok_or("the address of the caller is not known")?;
    if let Err(seconds) = site.limits.check(address, &sent.name) {
        let problem = "There were too many attempts. Please wait a minute and try again.";
        let page = form(StatusCode::TOO_MANY_REQUESTS, problem, &session, &sent).await?;
        return Ok(([(RETRY_AFTER, seconds.to_string())], page).into_response());
    }
    let people = &site.people;
    let Some(person) = people.log_in(&sent.name, sent.password.clone()).await? else {
        tracing::info!("a login failed");
        // The same response for an unknown name and a wrong password, so that it reveals no names.
        let problem = "The name or the password is not right.";
        return form(StatusCode::UNPROCESSABLE_ENTITY, problem, &session, &sent).await;
    };
    sessions::begin_login(&session, person.name).await?;
    // The id becomes part of a path; other characters could redirect elsewhere.
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let next = if sent.pending.is_empty() || !sent.pending.bytes().all(permitted) {
        "/".to_owned()
    } else {
        format!("{}?pending={}", ConsentPrompt::ACTION, sent.pending)
    };
    Ok(Redirect::to(&next).into_response())
}

/// The page with the form; after a problem it keeps what was sent, but for the password.
async fn form(
    status: StatusCode,
    problem: &'static str,
    session: &Session,
    sent: &Sent,
) -> Result<Response, Failed> {
    let form = LoginForm {
        problem,
        name: &sent.name,
        client_name: "",
        pending: &sent.pending,
        form_token: sessions::form_token(session).await?,
    };
    Ok(page(status, POLICY, &form)?)
}

/// Limit of a name at an address: 20 attempts at once, then 10 a minute.
const OF_A_NAME: Quota =
    Quota::per_minute(NonZeroU32::new(10).unwrap()).allow_burst(NonZeroU32::new(20).unwrap());

/// Limit of an address: 60 attempts at once, then 30 a minute.
const OF_AN_ADDRESS: Quota =
    Quota::per_minute(NonZeroU32::new(30).unwrap()).allow_burst(NonZeroU32::new(60).unwrap());

/// Counters of recent login attempts, against the guessing of passwords. Attempts are counted per name and
/// address, so that attempts from elsewhere lock nobody out, and per address for all names together.
pub(super) struct Limits {
    names: DefaultKeyedRateLimiter<(IpAddr, String)>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
}

impl Limits {
    pub(super) fn new() -> Self {
        Self {
            names: RateLimiter::keyed(OF_A_NAME),
            addresses: RateLimiter::keyed(OF_AN_ADDRESS),
        }
    }

    /// Counts an attempt; above the limit, the error is the number of seconds until the next attempt.
    fn check(&self, CallerAddress(address): CallerAddress, name: &str) -> Result<(), u64> {
        // Those without recent attempts are forgotten, so that memory stays bounded.
        if self.names.len() + self.addresses.len() > 10_000 {
            self.names.retain_recent();
            self.addresses.retain_recent();
        }
        // Longer texts are no user's name, and are counted as one.
        let name = if name.len() <= 200 { name } else { "" };
        let counted = self.addresses.check_key(&address);
        let counted = counted.and_then(|()| self.names.check_key(&(address, name.to_owned())));
        counted.map_err(|until| until.wait_time_from(self.names.clock().now()).as_secs() + 1)
    }
}

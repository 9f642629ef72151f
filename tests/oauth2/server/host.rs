//! The host of the authorization server: its only user logs in and consents as a test wants.

use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use axum::http::request::Parts;
use axum::response::{Html, IntoResponse as _, Response};
use resource_authorization_server::{
    Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User,
};
use resource_oauth2::Scopes;

/// A host whose only user logs in and out as the test wants.
#[derive(Clone)]
pub(crate) struct Host {
    state: Arc<Mutex<State>>,
}

struct State {
    subject: Option<String>,
    is_lost: bool,
    session: String,
    answer: Answer,
    policies: &'static [&'static str],
    scopes: Option<&'static [&'static str]>,
    later: Answer,
}

/// The reaction of the host to a request for consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Asks,
    Grants,
    Denies,
    Fails,
    Panics,
}

/// The moment of the user's login, in seconds since 1970.
pub(crate) const LOGGED_IN: u64 = 1_799_999_000;

impl Host {
    pub(crate) fn new() -> Self {
        let state = State {
            subject: Some("ann".to_owned()),
            is_lost: false,
            session: "session-1".to_owned(),
            answer: Answer::Asks,
            policies: &[],
            scopes: None,
            later: Answer::Grants,
        };
        let state = Arc::new(Mutex::new(state));
        Self { state }
    }

    pub(crate) fn log_in(&self, subject: &str, session: &str) {
        let mut state = self.state.lock().unwrap();
        state.subject = Some(subject.to_owned());
        session.clone_into(&mut state.session);
    }

    pub(crate) fn log_out(&self) {
        let mut state = self.state.lock().unwrap();
        (state.subject, state.is_lost) = (None, false);
    }

    /// Makes the lookup of the user fail, until `log_out`.
    pub(crate) fn lose_users(&self) {
        self.state.lock().unwrap().is_lost = true;
    }

    /// Limits the scopes that the user holds.
    pub(crate) fn limit(&self, scopes: &'static [&'static str]) {
        self.state.lock().unwrap().scopes = Some(scopes);
    }

    pub(crate) fn answer(&self, answer: Answer) {
        self.state.lock().unwrap().answer = answer;
    }

    /// Sets the answer of the host to later requests of a client.
    pub(crate) fn later(&self, answer: Answer) {
        self.state.lock().unwrap().later = answer;
    }

    /// Sets the content security policies of the host's pages, a header each.
    pub(crate) fn policies(&self, policies: &'static [&'static str]) {
        self.state.lock().unwrap().policies = policies;
    }

    /// A page with these lines.
    fn page(&self, lines: &[String]) -> Response {
        let mut page = Html(lines.join("\n")).into_response();
        for policy in self.state.lock().unwrap().policies {
            let policy = policy.parse().unwrap();
            page.headers_mut().append("content-security-policy", policy);
        }
        page
    }
}

impl ResourceOwner for Host {
    async fn current_user(&self, _: &Parts) -> Result<Option<User>, OwnerError> {
        let state = self.state.lock().unwrap();
        let moment = UNIX_EPOCH + Duration::from_secs(LOGGED_IN);
        if state.is_lost {
            return Err("the sessions are lost".into());
        }
        let Some(subject) = &state.subject else {
            return Ok(None);
        };
        let user = User::new(subject, &*state.session, moment);
        Ok(Some(match state.scopes {
            Some(scopes) => user.scopes(scopes),
            None => user,
        }))
    }

    async fn login(&self, _: &Parts, pending: PendingRequest) -> Result<Response, OwnerError> {
        if self.state.lock().unwrap().answer == Answer::Fails {
            return Err("the host is not well".into());
        }
        let lines = ["login".to_owned(), pending.return_path()];
        Ok(self.page(&lines))
    }

    async fn consent(&self, _: &Parts, prompt: ConsentPrompt) -> Result<Consent, OwnerError> {
        let answer = self.state.lock().unwrap().answer;
        match answer {
            Answer::Grants => return Ok(Consent::Granted),
            Answer::Denies => return Ok(Consent::Denied),
            Answer::Fails => return Err("the host is not well".into()),
            Answer::Panics => panic!("the host is not well"),
            Answer::Asks => {}
        }
        let [(pending, id), (csrf, token)] = prompt.fields();
        let lines = [
            "consent".to_owned(),
            format!("{pending}={id}&{csrf}={token}"),
            prompt.client_name().to_owned(),
            prompt.scopes().to_string(),
            prompt.user().subject().to_owned(),
        ];
        Ok(Consent::Ask(self.page(&lines)))
    }

    async fn still_permits(&self, subject: &str, scopes: &Scopes) -> Result<bool, OwnerError> {
        assert!(!subject.is_empty() && !scopes.is_empty());
        let later = self.state.lock().unwrap().later;
        match later {
            Answer::Fails => Err("the host is not well".into()),
            Answer::Panics => panic!("the host is not well"),
            Answer::Denies => Ok(false),
            Answer::Asks | Answer::Grants => Ok(true),
        }
    }
}

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::error_page::{AuthorizePageError, protected};
use crate::error_response::{OauthError, Problem};
use crate::form::with_parameters;

/// Why nobody is asked, or no more.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The user stays here.
    AuthorizePageError(AuthorizePageError),
    /// The client is told, by its user who is logged in; else the user stays here.
    Back(Back, OauthError),
}

/// The way back to a client.
#[derive(Debug, Clone)]
pub(super) struct Back {
    pub(super) redirect_uri: String,
    pub(super) state: Option<String>,
    pub(super) issuer: String,
}

impl Outcome {
    /// What a client that is known is told of a problem.
    pub(super) fn of_problem(problem: Problem, back: Back) -> Self {
        match problem {
            Problem::Refused(error) => Self::Back(back, error),
            Problem::Failed(cause) => Self::failed(&cause, back),
            other => Self::from(other),
        }
    }

    pub(super) fn failed(cause: &str, back: Back) -> Self {
        tracing::error!(cause, "an authorization failed");
        Self::Back(back, OauthError::FAILED)
    }

    pub(super) fn into_response(self) -> Response {
        match self {
            Self::AuthorizePageError(stop) => stop.page(),
            Self::Back(back, error) => back.with(&[
                ("error", error.name.0),
                ("error_description", error.description),
            ]),
        }
    }
}

/// Before the client is known.
impl From<Problem> for Outcome {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::TooOften(wait) => Self::AuthorizePageError(AuthorizePageError::TooOften(wait)),
            Problem::Failed(cause) => {
                tracing::error!(cause, "an authorization failed");
                Self::AuthorizePageError(AuthorizePageError::Failed)
            }
            Problem::Refused(_) | Problem::NotAuthenticated { .. } | Problem::Body(..) => {
                Self::AuthorizePageError(AuthorizePageError::UnknownClient)
            }
        }
    }
}

impl Back {
    /// Sends the user back with these parameters, the client's state and our name (RFC 9207). The
    /// status makes every browser go on with GET: with another it might repeat a login.
    pub(super) fn with(&self, parameters: &[(&str, &str)]) -> Response {
        let state = self.state.as_deref().map(|state| ("state", state));
        let mut all = parameters.to_vec();
        all.extend(state);
        all.push(("iss", &self.issuer));
        let address = with_parameters(&self.redirect_uri, &all);
        let Ok(mut address) = HeaderValue::try_from(address) else {
            return AuthorizePageError::UnknownRedirect.page();
        };
        // It may hold a code, which nobody shall read who logs what is answered.
        address.set_sensitive(true);
        let answer = (StatusCode::SEE_OTHER, [(header::LOCATION, address)]);
        protected(answer.into_response(), "'none'")
    }
}

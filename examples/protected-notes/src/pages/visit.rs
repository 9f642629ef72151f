//! The visit of a browser: its session, its login, and its form token.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use argon2::password_hash::phc::Output;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use tower_sessions::cookie::time;
use tower_sessions::{Expiry, Session};

use super::page::Failed;
use crate::{Outcome, random};

/// Lifetime of a login.
const LOGGED_IN: time::Duration = time::Duration::hours(8);

const FORM_TOKEN: &str = "form token";

/// Key of the login in a session; without it, the session has no login.
pub(super) const LOGIN: &str = "login";

/// The session of the browser that sent a request.
pub struct Visit(Session);

/// A login, as it is stored in a session.
#[derive(Serialize, Deserialize)]
pub struct Login {
    pub name: String,
    /// Identifies this login.
    pub number: String,
    seconds: u64,
}

impl Login {
    pub fn moment(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.seconds)
    }
}

impl Visit {
    pub fn of(request: &Parts) -> Outcome<Self> {
        let session = request.extensions.get::<Session>();
        let session = session.ok_or("no layer of sessions is around this route")?;
        Ok(Self(session.clone()))
    }

    pub async fn login(&self) -> Outcome<Option<Login>> {
        Ok(self.0.get(LOGIN).await?)
    }

    /// Begins a login with a new session id, so that an attacker who planted the old id in this browser is not
    /// logged in (session fixation).
    pub async fn begin(&self, name: String) -> Outcome {
        self.0.cycle_id().await?;
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let login = Login {
            name,
            number: random::text::<16>()?,
            seconds: since_1970.as_secs(),
        };
        self.0.insert(LOGIN, login).await?;
        // A form token from before the login must not work after it.
        self.0.insert(FORM_TOKEN, random::text::<32>()?).await?;
        let end = time::OffsetDateTime::now_utc() + LOGGED_IN;
        self.0.set_expiry(Some(Expiry::AtDateTime(end)));
        Ok(())
    }

    pub async fn end(&self) -> Outcome {
        Ok(self.0.flush().await?)
    }

    /// The CSRF token in the forms of this session.
    pub async fn form_token(&self) -> Outcome<String> {
        if let Some(token) = self.0.get(FORM_TOKEN).await? {
            return Ok(token);
        }
        let token = random::text::<32>()?;
        self.0.insert(FORM_TOKEN, &token).await?;
        Ok(token)
    }

    /// True if a form belongs to this session.
    pub async fn has_sent(&self, token: &str) -> Outcome<bool> {
        let own: Option<String> = self.0.get(FORM_TOKEN).await?;
        Ok(own.is_some_and(|own| are_one(&own, token)))
    }
}

/// Compares two tokens in constant time. A text that is not a token, such as an empty one, equals nothing,
/// not even itself.
fn are_one(own: &str, sent: &str) -> bool {
    let [own, sent] = [own, sent].map(|token| Output::new(token.as_bytes()));
    matches!((own, sent), (Ok(own), Ok(sent)) if own == sent)
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = Failed;

    async fn from_request_parts(request: &mut Parts, _: &S) -> Result<Self, Failed> {
        Ok(Self::of(request)?)
    }
}

#[cfg(test)]
mod tests {
    use super::are_one;
    use crate::random;

    #[test]
    fn a_token_is_the_same_as_itself_alone() {
        let (own, other) = (random::text::<32>().unwrap(), random::text::<32>().unwrap());
        assert!(are_one(&own, &own.clone()));
        for sent in ["", &own[1..], &own[..own.len() - 1], &own.repeat(2), &other] {
            assert!(!are_one(&own, sent), "{sent}");
            assert!(!are_one(sent, &own), "{sent}");
        }
    }

    #[test]
    fn what_is_no_token_is_not_the_same_as_itself() {
        assert!(!are_one("", ""));
        assert!(!are_one("short", "short"));
    }
}

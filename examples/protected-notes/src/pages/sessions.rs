//! Sessions of browsers: their cookie, the login and the form token in them, and the memory that holds them.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use argon2::password_hash::phc::Output;
use async_trait::async_trait;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::{Duration, OffsetDateTime};
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::Result as Stored;
use tower_sessions::{Expiry, Session, SessionManagerLayer, SessionStore};

use crate::{Outcome, random_text};

/// Lifetime of a session without a login: the time to fill in the form.
const NOT_LOGGED_IN: Duration = Duration::minutes(15);

/// Lifetime of a login.
const LOGGED_IN: Duration = Duration::hours(8);

/// Greatest number of sessions of visitors, and of logged-in users. Above it, a new session evicts the oldest
/// of the same kind, so that memory stays bounded.
const MOST: usize = 10_000;

/// Key of the login in a session; without it, the session has no login.
const LOGIN: &str = "login";

const FORM_TOKEN: &str = "form token";

/// A session for each browser, with a cookie that is hidden from scripts and other sites.
pub fn sessions(secure: bool) -> SessionManagerLayer<Sessions> {
    // The prefix makes browsers refuse a cookie that another host of the domain has set.
    let name = if secure { "__Host-session" } else { "session" };
    SessionManagerLayer::new(Sessions::default())
        .with_name(name)
        .with_secure(secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(NOT_LOGGED_IN))
}

/// A login, as it is stored in a session.
#[derive(Serialize, Deserialize)]
pub struct Login {
    pub name: String,
    /// Identifies this login.
    pub number: String,
    pub moment: SystemTime,
}

/// The session of the browser that sent a request to the authorization server.
pub fn session(request: &Parts) -> Outcome<&Session> {
    let session = request.extensions.get();
    session.ok_or_else(|| "no layer of sessions is around this route".into())
}

pub async fn login(session: &Session) -> Outcome<Option<Login>> {
    Ok(session.get(LOGIN).await?)
}

/// Begins a login with a new session id, so that an attacker who planted the old id in this browser is not
/// logged in (session fixation).
pub(super) async fn begin_login(session: &Session, name: String) -> Outcome {
    session.cycle_id().await?;
    let login = Login {
        name,
        number: random_text::<16>()?,
        moment: SystemTime::now(),
    };
    session.insert(LOGIN, login).await?;
    // A form token from before the login must not work after it.
    session.insert(FORM_TOKEN, random_text::<32>()?).await?;
    let end = OffsetDateTime::now_utc() + LOGGED_IN;
    session.set_expiry(Some(Expiry::AtDateTime(end)));
    Ok(())
}

/// The CSRF token in the forms of this session.
pub(super) async fn form_token(session: &Session) -> Outcome<String> {
    if let Some(token) = session.get(FORM_TOKEN).await? {
        return Ok(token);
    }
    let token = random_text::<32>()?;
    session.insert(FORM_TOKEN, &token).await?;
    Ok(token)
}

/// True if a form belongs to this session.
pub(super) async fn has_sent(session: &Session, token: &str) -> Outcome<bool> {
    let own: Option<String> = session.get(FORM_TOKEN).await?;
    // `Output` compares in constant time, and is never made of a text that is no token, like an empty one.
    let [own, sent] =
        [own.unwrap_or_default().as_str(), token].map(|it| Output::new(it.as_bytes()));
    Ok(matches!((own, sent), (Ok(own), Ok(sent)) if own == sent))
}

/// The sessions of this process. Users must log in again after a restart, and at each instance; to avoid this,
/// a service stores sessions in its database.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    records: HashMap<Id, Record>,
    /// The ids of visitors and of logged-in users, oldest first: neither kind evicts the other.
    visitors: VecDeque<Id>,
    logged_in: VecDeque<Id>,
}

impl Kept {
    fn put(&mut self, record: Record) {
        // A login makes a new id, so no session changes its kind.
        let oldest_first = if record.data.contains_key(LOGIN) {
            &mut self.logged_in
        } else {
            &mut self.visitors
        };
        let id = record.id;
        if self.records.insert(id, record).is_none() {
            oldest_first.push_back(id);
        }
        if oldest_first.len() > MOST
            && let Some(oldest) = oldest_first.pop_front()
        {
            self.records.remove(&oldest);
        }
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> Stored<()> {
        let mut kept = self.0.lock().await;
        // A session with an existing id would belong to another browser.
        while kept.records.contains_key(&record.id) {
            record.id = Id::default();
        }
        kept.put(record.clone());
        Ok(())
    }

    async fn save(&self, record: &Record) -> Stored<()> {
        self.0.lock().await.put(record.clone());
        Ok(())
    }

    async fn load(&self, id: &Id) -> Stored<Option<Record>> {
        let kept = self.0.lock().await;
        let is_current = |it: &&Record| it.expiry_date > OffsetDateTime::now_utc();
        Ok(kept.records.get(id).filter(is_current).cloned())
    }

    async fn delete(&self, id: &Id) -> Stored<()> {
        let mut kept = self.0.lock().await;
        if kept.records.remove(id).is_some() {
            kept.visitors.retain(|it| it != id);
            kept.logged_in.retain(|it| it != id);
        }
        Ok(())
    }
}

/// Output without the ids, which are credentials.
impl fmt::Debug for Sessions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sessions").finish_non_exhaustive()
    }
}

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::{Duration, OffsetDateTime};
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};
use tower_sessions::{Expiry, SessionManagerLayer, SessionStore};

/// How long a form to log in may lie there.
const NOT_LOGGED_IN: Duration = Duration::minutes(15);

/// Whoever opens more of them at once is turned away, instead of filling the memory.
const MOST: usize = 100_000;

/// A session for each browser, behind a cookie that scripts and other sites do not get.
pub fn sessions(is_secure: bool) -> SessionManagerLayer<Sessions> {
    // The prefix makes browsers refuse a cookie that another host of the domain has set.
    let name = if is_secure {
        "__Host-session"
    } else {
        "session"
    };
    SessionManagerLayer::new(Sessions::default())
        .with_name(name)
        .with_secure(is_secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(NOT_LOGGED_IN))
}

/// The sessions of this process. Who is logged in logs in anew after a restart, and with each of
/// several instances; a service that minds has a store in its database.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<HashMap<Id, Record>>>);

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let mut records = self.0.lock().await;
        if records.len() >= MOST {
            records.retain(|_, record| is_current(record));
        }
        if records.len() >= MOST {
            return Err(Error::Backend("there are too many sessions".to_owned()));
        }
        while records.contains_key(&record.id) {
            record.id = Id::default();
        }
        records.insert(record.id, record.clone());
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.0.lock().await.insert(record.id, record.clone());
        Ok(())
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let records = self.0.lock().await;
        Ok(records.get(id).filter(|it| is_current(it)).cloned())
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.0.lock().await.remove(id);
        Ok(())
    }
}

fn is_current(record: &Record) -> bool {
    record.expiry_date > OffsetDateTime::now_utc()
}

/// Without the ids: whoever has one is logged in.
impl fmt::Debug for Sessions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sessions").finish_non_exhaustive()
    }
}

//! Sessions of browsers, kept in the memory of this process.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::{Duration, OffsetDateTime};
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::Result;
use tower_sessions::{Expiry, SessionManagerLayer, SessionStore};

use super::visit::LOGIN;

/// Lifetime of a session without a login: the time to fill in the form.
const NOT_LOGGED_IN: Duration = Duration::minutes(15);

/// Greatest number of sessions of visitors, and of logged-in users. Above it, a new session evicts the oldest
/// of the same kind, so that memory stays bounded.
const MOST: usize = 10_000;

/// A session for each browser, with a cookie that is hidden from scripts and other sites.
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

/// The sessions of this process. Users must log in again after a restart, and at each instance; to avoid this,
/// a service stores sessions in its database.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    visitors: Kind,
    logged_in: Kind,
}

/// Sessions of one kind, which never evict those of the other kind.
#[derive(Default)]
struct Kind {
    records: HashMap<Id, Record>,
    oldest_first: VecDeque<Id>,
}

impl Kept {
    fn get(&self, id: &Id) -> Option<&Record> {
        let record = self.logged_in.records.get(id);
        record.or_else(|| self.visitors.records.get(id))
    }

    fn put(&mut self, record: Record) {
        if record.data.contains_key(LOGIN) {
            self.visitors.remove(&record.id);
            self.logged_in.put(record);
        } else {
            self.logged_in.remove(&record.id);
            self.visitors.put(record);
        }
    }

    fn remove(&mut self, id: &Id) {
        self.visitors.remove(id);
        self.logged_in.remove(id);
    }
}

impl Kind {
    fn put(&mut self, record: Record) {
        let id = record.id;
        if self.records.insert(id, record).is_some() {
            return;
        }
        self.oldest_first.push_back(id);
        if self.oldest_first.len() > MOST
            && let Some(oldest) = self.oldest_first.pop_front()
        {
            self.records.remove(&oldest);
        }
    }

    fn remove(&mut self, id: &Id) {
        if self.records.remove(id).is_some() {
            self.oldest_first.retain(|it| it != id);
        }
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let mut kept = self.0.lock().await;
        // A session with an existing id would belong to another browser.
        while kept.get(&record.id).is_some() {
            record.id = Id::default();
        }
        kept.put(record.clone());
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.0.lock().await.put(record.clone());
        Ok(())
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let kept = self.0.lock().await;
        Ok(kept.get(id).filter(|it| is_current(it)).cloned())
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.0.lock().await.remove(id);
        Ok(())
    }
}

fn is_current(record: &Record) -> bool {
    record.expiry_date > OffsetDateTime::now_utc()
}

/// Output without the ids, which are credentials.
impl fmt::Debug for Sessions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sessions").finish_non_exhaustive()
    }
}

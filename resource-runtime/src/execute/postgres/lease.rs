use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// How long a connection may take to come to rest before it is given up instead of kept.
const REST: Duration = Duration::from_secs(1);

/// A connection of the pool, lent for one request.
///
/// The pool itself waits without end for a connection to come to rest, and lends its place to
/// nobody else meanwhile: a network that swallows packets would take the places one by one.
#[derive(Debug)]
pub(super) struct Lease {
    connection: PoolConnection<Postgres>,
}

impl Lease {
    pub(super) const fn new(connection: PoolConnection<Postgres>) -> Self {
        Self { connection }
    }
}

impl Deref for Lease {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let rest = self.connection.return_to_pool();
        // Where everything ends, so does the connection.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(timeout(REST, rest));
        }
    }
}

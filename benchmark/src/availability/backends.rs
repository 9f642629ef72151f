//! The backends that a PostgreSQL server runs for a database, as the server counts them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use sqlx::{Connection as _, PgConnection};
use tokio::runtime::Runtime;

use crate::Outcome;

const PAUSE: Duration = Duration::from_millis(200);

/// The number of backends, without the one that asks.
const COUNT: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// The greatest number of backends until the attack is over.
pub(super) fn most(url: &str, is_over: &AtomicBool) -> Outcome<i64> {
    let runtime = Runtime::new()?;
    let mut connection = runtime.block_on(PgConnection::connect(url))?;
    let mut most = 0;
    while !is_over.load(Ordering::Relaxed) {
        let count = sqlx::query_scalar(COUNT).fetch_one(&mut connection);
        most = most.max(runtime.block_on(count)?);
        sleep(PAUSE);
    }
    Ok(most)
}

//! The connection pool of sqlx that leaves out connections from before the last fault.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgConnection, PgPool};
use tokio::time::timeout;

use super::last_fault::LastFault;
use super::{DatabaseOptions, failure};

/// Idle time up to which a connection is lent without a ping.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

/// Time limit of a ping on an idle connection.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// A pool that opens its connections as they are needed.
pub(super) fn pool(
    server: PgConnectOptions,
    options: &DatabaseOptions,
    last_fault: &Arc<LastFault>,
) -> PgPool {
    // The pool keeps both closures for as long as it lives, so each owns its share.
    let (on_acquire, on_release) = (last_fault.clone(), last_fault.clone());
    PgPoolOptions::new()
        .max_connections(options.connections)
        .acquire_timeout(options.acquire_timeout)
        .idle_timeout(options.idle_timeout)
        .max_lifetime(options.max_lifetime)
        // A test each time would cost every request another round trip.
        .test_before_acquire(false)
        // A pooler accepts us before it has a server connection for us. Waiting for that in a ping,
        // rather than in the first statement, leaves no outcome unknown when it times out.
        .after_connect(|connection, _| Box::pin(connection.ping()))
        .before_acquire(move |connection, state| {
            let last_fault = on_acquire.clone();
            Box::pin(async move {
                // A refused connection is closed, and the pool tries its next one, or opens one.
                let is_fresh = state.idle_for < TRUSTED_IDLE;
                Ok(!last_fault.is_stale(state.age)
                    && (is_fresh || responds(connection, &last_fault).await))
            })
        })
        .after_release(move |connection, state| {
            let last_fault = on_release.clone();
            Box::pin(async move {
                // Closed although it may work: a restart or a failover has ended most connections of its age.
                if last_fault.is_stale(state.age) {
                    return Ok(false);
                }
                // The pool pings, too, but would not record a dead connection as a fault of the server.
                let pinged = connection.ping().await.map(|()| true);
                if pinged.as_ref().is_err_and(failure::is_fault) {
                    last_fault.record_fault();
                }
                pinged
            })
        })
        .connect_lazy_with(server)
}

/// Pings a connection before use: one that is dead before a write is sent leaves no outcome unknown.
async fn responds(connection: &mut PgConnection, last_fault: &LastFault) -> bool {
    let responds = matches!(timeout(PING_TIMEOUT, connection.ping()).await, Ok(Ok(())));
    if !responds {
        last_fault.record_fault();
    }
    responds
}

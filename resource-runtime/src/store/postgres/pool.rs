use std::sync::Arc;
use std::time::Duration;

use resource_model::error::DatabaseResult;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgConnection, PgPool};
use tokio::time::{Instant, timeout, timeout_at};

use super::idle_pool::Purpose;
use super::lease::{Health, Lease};
use super::{DatabaseOptions, PostgresDatabase, failure};

/// How long a connection may lie idle and still be taken for one that lives.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

/// How long an idle connection may take to show that it lives.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// A pool that opens its connections as they are needed.
pub(super) fn pool(
    server: PgConnectOptions,
    options: &DatabaseOptions,
    health: &Arc<Health>,
) -> PgPool {
    let (lent, returned) = (health.clone(), health.clone());
    PgPoolOptions::new()
        .max_connections(options.connections)
        .acquire_timeout(options.acquire_timeout)
        .idle_timeout(options.idle_timeout)
        .max_lifetime(options.max_lifetime)
        // Each request would wait once more for the server.
        .test_before_acquire(false)
        // A pooler lets us in before it has a connection of the server for us: what is waited for
        // here is no statement whose outcome would be unknown.
        .after_connect(|connection, _| Box::pin(connection.ping()))
        .before_acquire(move |connection, state| {
            let health = lent.clone();
            Box::pin(async move {
                let is_outdated = health.is_stale(state.age);
                let is_fresh = state.idle_for < TRUSTED_IDLE;
                Ok(!is_outdated && (is_fresh || responds(connection, &health).await))
            })
        })
        .after_release(move |connection, state| {
            let health = returned.clone();
            Box::pin(async move {
                if health.is_stale(state.age) {
                    return Ok(false);
                }
                // The pool looks itself, but tells nobody that what rested here has died.
                let looked = connection.ping().await.map(|()| true);
                if looked.as_ref().is_err_and(failure::is_fault) {
                    health.record_fault();
                }
                looked
            })
        })
        .connect_lazy_with(server)
}

/// Found dead before a write is sent, a connection leaves no outcome unknown.
async fn responds(connection: &mut PgConnection, health: &Health) -> bool {
    let responds = matches!(timeout(PING_TIMEOUT, connection.ping()).await, Ok(Ok(())));
    if !responds {
        health.record_fault();
    }
    responds
}

impl PostgresDatabase {
    pub(super) async fn lease(&self, purpose: Purpose, deadline: Instant) -> DatabaseResult<Lease> {
        let acquire = async {
            let permit = self.idle_pool.permit(purpose).await?;
            let connection = self.idle_pool.take().await?;
            Ok(Lease::new(
                connection,
                permit,
                &self.idle_pool,
                &self.timeout,
            ))
        };
        let acquired = timeout_at(deadline, acquire).await;
        let acquired = acquired.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        acquired.map_err(failure::of_acquire)
    }
}

//! Background tasks of the server: reloads of keys and revocations, eviction of rate limits, and the
//! sweep of expired rows.

use std::sync::Arc;
use std::time::Duration;

use resource_runtime::{ApiResource, Error, ErrorKind, Filter};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::authorization_server::ServerState;
use crate::builder::MAX_TOKEN_AGE;
use crate::store::{CodeRow, GrantRow, KeyRow, RefreshRow, RequestRow, RevokedTokenRow};

/// Interval of reloads. Revocations take effect on all instances within 5 seconds, as documented;
/// the reload itself needs some of that time.
const REFRESH_INTERVAL: Duration = Duration::from_secs(4);

const SWEEP_INTERVAL: Duration = Duration::from_mins(5);

/// Seconds for which an expired key is kept: a week, in case the clock of this instance is ahead.
const EXPIRED_KEY_RETENTION: i64 = 7 * 24 * 60 * 60;

/// Starts the tasks, which end with the last handle to the state.
pub(super) fn start(state: &Arc<ServerState>) {
    repeat(REFRESH_INTERVAL, state, |state| async move {
        // Evicted here, so that requests do not pay for it.
        state.limits.evict_expired();
        if let Err(cause) = state.refresh().await {
            tracing::warn!(cause, "keys and revocations could not be reloaded");
        }
    });
    repeat(SWEEP_INTERVAL, state, |state| async move {
        if let Err(error) = state.sweep().await {
            let cause = error.to_string();
            tracing::warn!(cause, "expired rows could not be deleted");
        }
    });
}

/// Runs a task periodically. Each run is a tokio task of its own, so a panic ends that run alone.
fn repeat<Task, Run>(period: Duration, state: &Arc<ServerState>, task: Task)
where
    Task: Fn(Arc<ServerState>) -> Run + Send + 'static,
    Run: Future<Output = ()> + Send + 'static,
{
    // A strong reference would keep the server alive for ever, since the loop ends only when it is
    // gone.
    let state = Arc::downgrade(state);
    tokio::spawn(async move {
        // The first run is a period away: `build` has just loaded everything.
        let mut ticks = interval_at(Instant::now() + period, period);
        // After a slow run, such as during an outage of the database, no burst of runs follows.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let Some(state) = state.upgrade() else {
                return;
            };
            // Awaited, so that runs never overlap.
            if tokio::spawn(task(state)).await.is_err() {
                tracing::error!("a background task panicked; it runs again after its interval");
            }
        }
    });
}

impl ServerState {
    /// Deletes expired rows. Codes and tokens are kept beyond their end, so that a replay is still
    /// detected, and revocations for as long as the tokens that they concern could be valid.
    pub(super) async fn sweep(&self) -> Result<(), Error> {
        let now = self.now();
        let long_ago = now.saturating_sub(MAX_TOKEN_AGE);
        // A pending request that has expired is of no further use to anybody.
        self.delete(RequestRow::EXPIRES_AT.lt(now)).await?;
        self.delete(CodeRow::KEPT_UNTIL.lt(long_ago)).await?;
        self.delete(RefreshRow::EXPIRES_AT.lt(long_ago)).await?;
        self.delete(GrantRow::EXPIRES_AT.lt(long_ago)).await?;
        self.delete(RevokedTokenRow::EXPIRES_AT.lt(long_ago))
            .await?;
        let keys = self.keys.load_full();
        for kid in keys.expired(now.saturating_sub(EXPIRED_KEY_RETENTION)) {
            match self.api.items::<KeyRow>().delete(kid).await {
                // Another instance has deleted it meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                deleted => deleted?,
            }
        }
        Ok(())
    }

    /// Deletes rows in batches, so that other writers wait for one batch at most.
    async fn delete<R: ApiResource>(&self, filter: Filter<R>) -> Result<(), Error> {
        let rows = self.api.items::<R>().without_hooks().filter(filter);
        rows.delete_all().await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, REFRESH_INTERVAL};

    #[test]
    fn reload_interval_leaves_time_for_the_reload() {
        assert!(REFRESH_INTERVAL < Duration::from_secs(5));
    }
}

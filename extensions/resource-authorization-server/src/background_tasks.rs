//! What the server does by itself, as long as it is there.

use std::sync::Arc;
use std::time::Duration;

use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::authorization_server::ServerState;
use crate::builder::OUTLASTING;
use crate::store::{
    CodeRow, CodeRowField, GrantRow, GrantRowField, KeyRow, RefreshRow, RefreshRowField,
    RequestRow, RequestRowField, RevokedTokenRow, RevokedTokenRowField,
};

/// What is revoked is known everywhere within 5 seconds, of which asking takes some.
const REFRESH: Duration = Duration::from_secs(4);

const SWEEP: Duration = Duration::from_mins(5);

/// A code or token that is used again after its end is still known for what it was, and what
/// was revoked for as long as a token could name it.
const KEPT: i64 = OUTLASTING;

/// A key is kept for a week after nobody needs it, by the clock of whoever is ahead.
const KEY_KEPT: i64 = 7 * 24 * 60 * 60;

pub(super) fn start(state: &Arc<ServerState>) {
    repeat(REFRESH, state, |state| async move {
        state.limits.evict_expired();
        if let Err(cause) = state.refresh().await {
            tracing::warn!(cause, "keys and revocations could not be refreshed");
        }
    });
    repeat(SWEEP, state, |state| async move {
        if let Err(failure) = state.sweep().await {
            let cause = failure.to_string();
            tracing::warn!(cause, "what has expired could not be removed");
        }
    });
}

/// Does `work` again and again, each time on a task of its own: where it panics it is done anew.
fn repeat<Work, Done>(period: Duration, state: &Arc<ServerState>, work: Work)
where
    Work: Fn(Arc<ServerState>) -> Done + Send + 'static,
    Done: Future<Output = ()> + Send + 'static,
{
    let state = Arc::downgrade(state);
    tokio::spawn(async move {
        let mut ticks = interval_at(Instant::now() + period, period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let Some(state) = state.upgrade() else {
                return;
            };
            if tokio::spawn(work(state)).await.is_err() {
                tracing::error!("the upkeep of the authorization server panicked; it goes on");
            }
        }
    });
}

impl ServerState {
    /// Removes what has expired.
    pub(super) async fn sweep(&self) -> Result<(), Error> {
        let (now, store) = (self.now(), &self.store);
        let long_ago = now.saturating_sub(KEPT);
        store
            .delete_below::<RequestRow>(RequestRowField::ExpiresAt, now)
            .await?;
        store
            .delete_below::<CodeRow>(CodeRowField::KeptUntil, long_ago)
            .await?;
        store
            .delete_below::<RefreshRow>(RefreshRowField::ExpiresAt, long_ago)
            .await?;
        store
            .delete_below::<GrantRow>(GrantRowField::ExpiresAt, long_ago)
            .await?;
        store
            .delete_below::<RevokedTokenRow>(RevokedTokenRowField::ExpiresAt, long_ago)
            .await?;
        let keys = self.keys.load_full();
        for kid in keys.gone(now.saturating_sub(KEY_KEPT)) {
            store.perform(&Removal(kid)).await?;
        }
        Ok(())
    }
}

struct Removal<'kid>(&'kid str);

impl TransactionScript for Removal<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut RowTransaction) -> Result<(), Error> {
        transaction.delete::<KeyRow>(self.0).await
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, REFRESH};

    #[test]
    fn what_is_revoked_is_asked_for_early_enough_to_be_known_within_5_seconds() {
        assert!(REFRESH <= Duration::from_secs(5), "{REFRESH:?}");
    }
}

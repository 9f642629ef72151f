//! What the server does by itself, as long as it is there.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::shared::Shared;
use super::store::{
    CodeRow, CodeRowField, GrantRow, GrantRowField, KeyRow, RefreshRow, RefreshRowField,
    RequestRow, RequestRowField, RevokedTokenRow, RevokedTokenRowField, Work,
};
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// What is revoked is known everywhere after this time.
const REFRESH: Duration = Duration::from_secs(5);

/// Every so many refreshments, what has expired is removed: every 5 minutes.
const REFRESHMENTS_OF_A_SWEEP: u64 = 60;

/// A code or token that is used again after its end is still known for what it was: a day.
const KEPT: i64 = 24 * 60 * 60;

pub(super) fn start(shared: &Arc<Shared>) {
    let shared = Arc::downgrade(shared);
    tokio::spawn(async move {
        let mut ticks = interval(REFRESH);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for tick in 1_u64.. {
            ticks.tick().await;
            let Some(shared) = shared.upgrade() else {
                return;
            };
            shared.limits.forget_old();
            if let Err(cause) = shared.refresh().await {
                tracing::warn!(cause, "keys and revocations could not be refreshed");
            }
            if tick.is_multiple_of(REFRESHMENTS_OF_A_SWEEP) {
                sweep_and_log(&shared).await;
            }
        }
    });
}

async fn sweep_and_log(shared: &Shared) {
    if let Err(failure) = shared.sweep().await {
        let cause = failure.to_string();
        tracing::warn!(cause, "what has expired could not be removed");
    }
}

impl Shared {
    /// Removes what has expired.
    pub(super) async fn sweep(&self) -> Result<(), DatabaseFailure> {
        let (now, store) = (self.now(), &self.store);
        let long_ago = now.saturating_sub(KEPT);
        let forgotten = now.saturating_sub(self.lifetimes.outlasting());
        store
            .sweep::<RequestRow>(RequestRowField::ExpiresAt, now)
            .await?;
        store
            .sweep::<CodeRow>(CodeRowField::ExpiresAt, long_ago)
            .await?;
        store
            .sweep::<RefreshRow>(RefreshRowField::ExpiresAt, long_ago)
            .await?;
        store
            .sweep::<GrantRow>(GrantRowField::ExpiresAt, long_ago)
            .await?;
        store
            .sweep::<RevokedTokenRow>(RevokedTokenRowField::ExpiresAt, forgotten)
            .await?;
        let keys = self.keys.load_full();
        for kid in keys.gone(now) {
            store.perform(&Removal(kid)).await?;
        }
        Ok(())
    }
}

struct Removal<'kid>(&'kid str);

impl Work for Removal<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), DatabaseFailure> {
        transaction.remove::<KeyRow>(self.0).await
    }
}

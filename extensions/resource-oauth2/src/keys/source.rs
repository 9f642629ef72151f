//! The key source of an issuer: cached keys, refreshed by the requests that need them, with backoff.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use resource_runtime::authorization::Refusal;
use tokio::sync::Mutex;
use tracing::Instrument as _;

use super::KeySet;
use super::cache_control::with_jitter;
use crate::clock::{Clock, seconds};
use crate::crypto::{Digest, digest};
use crate::fetch::JwksFetch;
use crate::token::TokenCache;

/// Seconds after the due time during which no request waits for the refresh (RFC 5861).
const STALE_WHILE_REVALIDATE: i64 = 5 * 60;

/// Seconds after the due time during which keys are still used if the issuer is unreachable (RFC 5861).
const STALE_IF_ERROR: i64 = 24 * 60 * 60;

/// The keys of one issuer, refreshed by requests: an idle service fetches nothing, and there is no background task
/// to stop.
pub(crate) struct KeySource {
    issuer: String,
    /// `None` for given keys, which are never fetched.
    jwks_fetch: Option<JwksFetch>,
    current: ArcSwapOption<CurrentKeys>,
    /// Locked during a fetch, so that concurrent requests share it.
    backoff: Mutex<Backoff>,
    cache: Arc<TokenCache>,
    clock: Arc<dyn Clock>,
}

/// Installed keys with their refresh times.
pub(crate) struct CurrentKeys {
    pub(crate) keys: KeySet,
    digest: Digest,
    due: i64,
    usable_until: i64,
}

impl KeySource {
    pub(crate) fn new(
        issuer: String,
        jwks_fetch: Option<JwksFetch>,
        cache: Arc<TokenCache>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            issuer,
            jwks_fetch,
            // No keys yet: they come by `set`, by `load` at the start, or with the first request.
            current: ArcSwapOption::empty(),
            backoff: Mutex::default(),
            cache,
            clock,
        }
    }

    /// Installs given keys, which never expire.
    pub(crate) fn set(&self, keys: KeySet, document: &[u8]) {
        self.install(CurrentKeys {
            keys,
            digest: digest(document),
            due: i64::MAX,
            usable_until: i64::MAX,
        });
    }

    /// The current keys. Without any, or once they are too old, verification fails as unavailable (fail closed).
    pub(crate) async fn keys(self: &Arc<Self>) -> Result<Arc<CurrentKeys>, Refusal> {
        let now = self.now();
        let current = self.current.load_full();
        match &current {
            // Three ages: fresh; just due, with a refresh that nobody waits for; and older or absent, where
            // the request waits.
            Some(keys) if now < keys.due => {}
            Some(keys) if now < keys.due.saturating_add(STALE_WHILE_REVALIDATE) => {
                self.refresh_in_background(keys);
            }
            _ => self.refresh(current).await,
        }
        // Loaded again, since the refresh above may have installed newer keys.
        let current = self.current.load_full();
        // The clock is read again, because a refresh may have taken seconds. A failed one leaves the old
        // keys, which are used until they are too old.
        let usable = current.filter(|keys| self.now() < keys.usable_until);
        usable.ok_or(Refusal::Unavailable)
    }

    /// Keys newer than `known`, for a token with an unknown key id (key rotation).
    pub(crate) async fn newer_than(
        self: &Arc<Self>,
        known: &Arc<CurrentKeys>,
    ) -> Option<Arc<CurrentKeys>> {
        // If the keys were replaced since, the token is tried with those first, without a fetch.
        if self.is_current(Some(known)) {
            self.refresh(Some(Arc::clone(known))).await;
        }
        let current = self.current.load_full();
        current.filter(|keys| !Arc::ptr_eq(keys, known))
    }

    /// Fetches the keys at startup.
    pub(crate) async fn load(&self) -> Result<(), String> {
        let mut backoff = self.backoff.lock().await;
        // The backoff is not asked: the start has to know whether the issuer has keys.
        self.fetch(&mut backoff).await
    }

    fn refresh_in_background(self: &Arc<Self>, known: &Arc<CurrentKeys>) {
        // A locked backoff is a fetch in flight, which serves this request as well.
        if self.may_fetch() && self.backoff.try_lock().is_ok() {
            // The task owns what it needs, since the request ends before it.
            let (source, known) = (Arc::clone(self), Arc::clone(known));
            let refreshing = async move { source.refresh_if_current(Some(&known)).await };
            tokio::spawn(refreshing.in_current_span());
        }
    }

    /// Refreshes in a task of its own, so that a client disconnect does not cancel a fetch that others wait for.
    async fn refresh(self: &Arc<Self>, known: Option<Arc<CurrentKeys>>) {
        // Without a fetch the caller goes on with what is installed, which may be nothing.
        if self.may_fetch() {
            let source = Arc::clone(self);
            let refreshing = async move { source.refresh_if_current(known.as_ref()).await };
            let refreshing = tokio::spawn(refreshing.in_current_span());
            // The task never panics; it ends early only with the runtime.
            let _ = refreshing.await;
        }
    }

    /// `false` only if that is known without waiting: a locked backoff means a fetch that others may join.
    fn may_fetch(&self) -> bool {
        // Made-up key ids reach this point often; a task for each would cost more than the token.
        let backoff = self.backoff.try_lock();
        self.jwks_fetch.is_some() && backoff.map_or(true, |backoff| backoff.is_allowed(self.now()))
    }

    /// Refreshes unless another request has replaced the `known` keys while this one waited for the lock.
    async fn refresh_if_current(&self, known: Option<&Arc<CurrentKeys>>) {
        let mut backoff = self.backoff.lock().await;
        // Both are tested under the lock: whoever held it before has fetched, or has failed and set the
        // backoff.
        if !self.is_current(known) || !backoff.is_allowed(self.now()) {
            return;
        }
        if let Err(cause) = self.fetch(&mut backoff).await {
            let issuer = self.issuer.as_str();
            tracing::warn!(
                issuer,
                cause,
                "the keys of an issuer could not be refreshed"
            );
        }
    }

    async fn fetch(&self, backoff: &mut Backoff) -> Result<(), String> {
        // Given keys have no origin to fetch from; they change by `set` alone.
        let Some(jwks_fetch) = &self.jwks_fetch else {
            return Ok(());
        };
        match jwks_fetch.fetch().await {
            Ok(fetched) => {
                let now = self.now();
                // Success has a pause as well, against made-up key ids.
                backoff.succeeded(now);
                let due = now + with_jitter(fetched.lifetime);
                self.install(CurrentKeys {
                    keys: fetched.keys,
                    digest: fetched.digest,
                    due,
                    // Counted from the due time: an issuer that is unreachable for a day no longer vouches
                    // for its keys.
                    usable_until: due + STALE_IF_ERROR,
                });
                Ok(())
            }
            Err(cause) => {
                // The old keys stay installed.
                backoff.failed(self.now(), self.current.load().is_some());
                Err(cause)
            }
        }
    }

    /// Installs keys before it clears the cache of tokens verified with the old ones: a verification that runs in
    /// between has the old epoch, so its result is not cached.
    fn install(&self, keys: CurrentKeys) {
        let digest = keys.digest;
        // The swap returns the old keys in one step, so of two installations each compares with its
        // predecessor.
        let replaced = self.current.swap(Some(Arc::new(keys)));
        // Nearly every refresh brings the same set, which must not cost all cached tokens.
        if replaced.is_some_and(|replaced| replaced.digest != digest) {
            tracing::info!(issuer = self.issuer, "the keys of an issuer changed");
            self.cache.clear();
        }
    }

    fn is_current(&self, known: Option<&Arc<CurrentKeys>>) -> bool {
        // Compared by address: each fetch installs a new allocation, even of an equal set.
        self.current.load().as_ref().map(Arc::as_ptr) == known.map(Arc::as_ptr)
    }

    fn now(&self) -> i64 {
        seconds(&*self.clock)
    }
}

/// Least seconds between two fetches: an attacker could otherwise cause one with each made-up key id.
const FETCH_INTERVAL: i64 = 30;

/// The backoff of fetches.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
    not_before: Option<i64>,
}

impl Backoff {
    pub(super) fn is_allowed(&self, now: i64) -> bool {
        self.not_before.is_none_or(|earliest| now >= earliest)
    }

    pub(super) fn succeeded(&mut self, now: i64) {
        self.failures = 0;
        self.not_before = Some(now + FETCH_INTERVAL);
    }

    /// Records a failure. Without keys no token can be verified, so the backoff then starts at a second and doubles.
    pub(super) fn failed(&mut self, now: i64, has_keys: bool) {
        // With keys there is time: known tokens are still verified. The shift is bounded, so that it cannot
        // overflow.
        let pause = if has_keys {
            FETCH_INTERVAL
        } else {
            FETCH_INTERVAL.min(1 << self.failures.min(5))
        };
        // The pause was computed from the earlier failures, so the first one waits a second.
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(now + pause);
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn success_and_failure_delay_the_next_fetch() {
        let mut backoff = Backoff::default();
        assert!(backoff.is_allowed(100));
        backoff.succeeded(100);
        assert!(!backoff.is_allowed(129));
        assert!(backoff.is_allowed(130));
        backoff.failed(130, true);
        assert!(!backoff.is_allowed(159));
        assert!(backoff.is_allowed(160));
    }

    #[test]
    fn without_keys_the_backoff_doubles_from_a_second() {
        let mut backoff = Backoff::default();
        let mut now = 0;
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            backoff.failed(now, false);
            assert!(!backoff.is_allowed(now + pause - 1), "{pause}");
            now += pause;
            assert!(backoff.is_allowed(now), "{pause}");
        }
    }
}

//! The source of a key set: when it is fetched, and how often attempts are made.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use resource_runtime::authorization::Refusal;
use tokio::sync::Mutex;
use tracing::Instrument as _;

use super::KeySet;
use super::cache_control::with_jitter;
use crate::clock::{Clock, seconds};
use crate::crypto::{Digest, digest};
use crate::fetch::Publication;
use crate::token::TokenCache;

/// How long keys that are due are used without waiting for newer ones.
const REFRESH_AHEAD: i64 = 5 * 60;

/// How long keys are used after they were due while their issuer cannot be reached.
const STALE_IF_ERROR: i64 = 24 * 60 * 60;

/// The keys of one issuer, renewed by the requests that need them: an idle service asks nobody,
/// and there is no task to stop.
pub(crate) struct KeySource {
    issuer: String,
    /// None where the keys were given instead of published.
    publication: Option<Publication>,
    current: ArcSwapOption<CurrentKeys>,
    /// Locked while the issuer is asked, so that it is asked once.
    backoff: Mutex<Backoff>,
    cache: Arc<TokenCache>,
    clock: Arc<dyn Clock>,
}

/// Keys, and until when.
pub(crate) struct CurrentKeys {
    pub(crate) keys: KeySet,
    digest: Digest,
    due: i64,
    usable_until: i64,
}

impl KeySource {
    pub(crate) fn new(
        issuer: String,
        publication: Option<Publication>,
        cache: Arc<TokenCache>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            issuer,
            publication,
            current: ArcSwapOption::empty(),
            backoff: Mutex::default(),
            cache,
            clock,
        }
    }

    /// Takes keys that are good until others are given.
    pub(crate) fn give(&self, keys: KeySet, document: &[u8]) {
        self.install(CurrentKeys {
            keys,
            digest: digest(document),
            due: i64::MAX,
            usable_until: i64::MAX,
        });
    }

    /// The keys to verify with now; without any, or when they are too old, nobody is let through.
    pub(crate) async fn keys(self: &Arc<Self>) -> Result<Arc<CurrentKeys>, Refusal> {
        let now = self.now();
        let current = self.current.load_full();
        match &current {
            Some(keys) if now < keys.due => {}
            Some(keys) if now < keys.due.saturating_add(REFRESH_AHEAD) => {
                self.renew_in_background(keys);
            }
            _ => self.renew(current).await,
        }
        let current = self.current.load_full();
        let usable = current.filter(|keys| self.now() < keys.usable_until);
        usable.ok_or(Refusal::Unavailable)
    }

    /// Keys that replaced `known`, for a token whose key is not among those.
    pub(crate) async fn newer_than(
        self: &Arc<Self>,
        known: &Arc<CurrentKeys>,
    ) -> Option<Arc<CurrentKeys>> {
        if self.is_current(Some(known)) {
            self.renew(Some(Arc::clone(known))).await;
        }
        let current = self.current.load_full();
        current.filter(|keys| !Arc::ptr_eq(keys, known))
    }

    /// Asks the issuer, for a service that shall not start without keys.
    pub(crate) async fn load(&self) -> Result<(), String> {
        let mut backoff = self.backoff.lock().await;
        self.ask(&mut backoff).await
    }

    fn renew_in_background(self: &Arc<Self>, known: &Arc<CurrentKeys>) {
        if self.may_ask() && self.backoff.try_lock().is_ok() {
            let (source, known) = (Arc::clone(self), Arc::clone(known));
            let renewing = async move { source.renew_once(Some(&known)).await };
            tokio::spawn(renewing.in_current_span());
        }
    }

    /// On a task of its own: a client that hangs up must not end what others wait for.
    async fn renew(self: &Arc<Self>, known: Option<Arc<CurrentKeys>>) {
        if self.may_ask() {
            let source = Arc::clone(self);
            let renewing = async move { source.renew_once(known.as_ref()).await };
            let renewing = tokio::spawn(renewing.in_current_span());
            // It ends in no other way than by its end, or with the runtime.
            let _ = renewing.await;
        }
    }

    /// False only where it is known without waiting.
    fn may_ask(&self) -> bool {
        let backoff = self.backoff.try_lock();
        self.publication.is_some() && backoff.map_or(true, |backoff| backoff.is_allowed(self.now()))
    }

    async fn renew_once(&self, known: Option<&Arc<CurrentKeys>>) {
        let mut backoff = self.backoff.lock().await;
        if !self.is_current(known) || !backoff.is_allowed(self.now()) {
            return;
        }
        if let Err(cause) = self.ask(&mut backoff).await {
            let issuer = self.issuer.as_str();
            tracing::warn!(issuer, cause, "the keys of an issuer could not be renewed");
        }
    }

    async fn ask(&self, backoff: &mut Backoff) -> Result<(), String> {
        let Some(publication) = &self.publication else {
            return Ok(());
        };
        match publication.fetch().await {
            Ok(published) => {
                let now = self.now();
                backoff.succeeded(now);
                let due = now + with_jitter(published.lifetime);
                self.install(CurrentKeys {
                    keys: published.keys,
                    digest: published.digest,
                    due,
                    usable_until: due + STALE_IF_ERROR,
                });
                Ok(())
            }
            Err(cause) => {
                backoff.failed(self.now(), self.current.load().is_some());
                Err(cause)
            }
        }
    }

    /// First the new keys, then the end of what was verified with the old ones: what is
    /// verified in between is not remembered.
    fn install(&self, keys: CurrentKeys) {
        let digest = keys.digest;
        let replaced = self.current.swap(Some(Arc::new(keys)));
        if replaced.is_some_and(|replaced| replaced.digest != digest) {
            tracing::info!(issuer = self.issuer, "the keys of an issuer changed");
            self.cache.clear();
        }
    }

    fn is_current(&self, known: Option<&Arc<CurrentKeys>>) -> bool {
        self.current.load().as_ref().map(Arc::as_ptr) == known.map(Arc::as_ptr)
    }

    fn now(&self) -> i64 {
        seconds(&*self.clock)
    }
}

/// An unknown key id makes us ask the issuer no more often than this: ids are whatever an
/// attacker likes.
const PAUSE: i64 = 30;

/// When the issuer may be asked again.
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
        self.not_before = Some(now + PAUSE);
    }

    /// A service that has no keys yet is of no use: it asks sooner, and then ever later.
    pub(super) fn failed(&mut self, now: i64, has_keys: bool) {
        let pause = if has_keys {
            PAUSE
        } else {
            PAUSE.min(1 << self.failures.min(5))
        };
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(now + pause);
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn after_an_answer_there_is_a_pause() {
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
    fn without_keys_the_pauses_grow_from_a_second() {
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

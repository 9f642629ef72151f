//! The client of the introspection endpoint, with its caches and its circuit breaker.

use std::sync::{Arc, Mutex as SyncMutex, PoisonError};

use resource_runtime::authorization::{Claims, InvalidToken, Refusal};
use tokio::sync::{Mutex, MutexGuard};

use super::breaker::CircuitBreaker;
use super::{Introspection, endpoint};
use crate::clock::{Clock, seconds};
use crate::crypto::Digest;
use crate::fetch::Client;
use crate::token::{ResultCache, TokenCache, looks_signed};

/// Seconds for which a valid token is cached, which is how late a revocation may take effect.
const VALID_TTL: i64 = 30;

/// Seconds for which an invalid token is cached; short, since the issuer may not know a new token yet.
const INVALID_TTL: i64 = 5;

/// An opaque token is a random reference, which needs no more bytes.
const MAX_OPAQUE_LENGTH: usize = 2 * 1024;

/// Number of striped locks, and so the largest number of concurrent introspection requests.
const LOCK_STRIPES: usize = 64;

/// Verifies tokens at the introspection endpoint of one issuer.
pub(crate) struct Introspector {
    pub(crate) settings: Introspection,
    pub(crate) client: Client,
    pub(crate) leeway: i64,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) valid: Arc<TokenCache>,
    invalid: ResultCache<InvalidToken>,
    /// Request coalescing: equal tokens share a lock, so the second request finds the cached result of the first.
    locks: [Mutex<()>; LOCK_STRIPES],
    breaker: SyncMutex<CircuitBreaker>,
}

impl Introspector {
    pub(crate) fn new(
        settings: Introspection,
        client: Client,
        leeway: i64,
        clock: Arc<dyn Clock>,
        valid: Arc<TokenCache>,
    ) -> Self {
        // Only the cache of valid tokens is shared with the verifier, which looks there first.
        Self {
            settings,
            client,
            leeway,
            clock,
            valid,
            invalid: ResultCache::new(),
            locks: std::array::from_fn(|_| Mutex::default()),
            breaker: SyncMutex::default(),
        }
    }

    /// Verifies a token that is not in the cache of valid tokens.
    pub(crate) async fn verify(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        // Without a trusted issuer, signed tokens are introspected as well; they may be longer.
        if token.len() > MAX_OPAQUE_LENGTH && !looks_signed(token) {
            return Err(InvalidToken::TooLong.into());
        }
        // Before the lock, so that repeated invalid tokens do not queue.
        if let Some(invalid) = self.invalid.get(&digest, self.now()) {
            return Err(invalid.into());
        }
        let _guard = self.lock(&digest).await.ok_or(Refusal::Unavailable)?;
        // The clock is read after the wait for the lock, which may have taken seconds.
        let now = self.now();
        // Checked again: another request may have introspected the token while this one waited for the lock.
        if let Some(claims) = self.valid.get(&digest, now) {
            return Ok(claims);
        }
        if let Some(invalid) = self.invalid.get(&digest, now) {
            return Err(invalid.into());
        }
        // Asked last, because it may make this request the only probe, which then has to be sent.
        if !self.breaker(|breaker| breaker.allows(now)) {
            return Err(Refusal::Unavailable);
        }
        self.introspect(token, digest).await
    }

    async fn introspect(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        // Read before the request: a result from before a clearing of the cache must not enter it.
        let epoch = self.valid.epoch();
        // The request is sent under the lock of the stripe, so equal tokens cause one request.
        let response = endpoint::introspect(&self.client, &self.settings, token).await;
        let now = self.now();
        let response = response.map_err(|cause| {
            tracing::warn!(cause, "an issuer could not be asked about a token");
            self.breaker(|breaker| breaker.failed(now));
            Refusal::Unavailable
        })?;
        // Any response will do, also one that refuses the token: the endpoint works.
        self.breaker(CircuitBreaker::succeeded);
        // The breaker has its result, so the token can be judged now.
        let Some(response) = response else {
            return Err(self.cache_invalid(digest, InvalidToken::Inactive));
        };
        match endpoint::check(&response, &self.settings, self.leeway, now) {
            Ok(expires) => {
                // Never cached beyond the expiry that the issuer states.
                let until = expires.unwrap_or(i64::MAX).min(now + VALID_TTL);
                let issuer = &self.settings.issuer;
                // Claims need an expiry; without a stated one it is the moment at which the issuer is asked
                // again.
                let expires = expires.unwrap_or(until);
                let claims = Arc::new(self.settings.mapping.read(issuer, expires, response));
                self.valid.insert(digest, Arc::clone(&claims), until, epoch);
                Ok(claims)
            }
            Err(invalid) => Err(self.cache_invalid(digest, invalid)),
        }
    }

    fn cache_invalid(&self, digest: Digest, invalid: InvalidToken) -> Refusal {
        // This cache is never cleared, so its epoch may be read at any time.
        let (until, epoch) = (self.now() + INVALID_TTL, self.invalid.epoch());
        self.invalid.insert(digest, invalid, until, epoch);
        invalid.into()
    }

    /// Locks the stripe of a token; `None` after the timeout of the client.
    async fn lock(&self, digest: &Digest) -> Option<MutexGuard<'_, ()>> {
        // Every byte of a digest is evenly distributed.
        let [_, second, ..] = digest;
        let stripe = self.locks.get(usize::from(*second) % LOCK_STRIPES)?;
        // A waiter gives up as soon as a request of its own would have timed out.
        let limit = self.client.settings.timeout;
        tokio::time::timeout(limit, stripe.lock()).await.ok()
    }

    fn breaker<T>(&self, work: impl FnOnce(&mut CircuitBreaker) -> T) -> T {
        // A panic elsewhere leaves the counters whole, so a poisoned lock is no reason to refuse tokens.
        work(&mut self.breaker.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn now(&self) -> i64 {
        seconds(&*self.clock)
    }
}

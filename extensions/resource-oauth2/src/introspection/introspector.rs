use std::sync::{Arc, Mutex as SyncMutex, PoisonError};

use resource_runtime::authorization::{Claims, InvalidToken, Refusal};
use tokio::sync::{Mutex, MutexGuard};

use super::breaker::Breaker;
use super::{Introspection, endpoint};
use crate::clock::{Clock, seconds};
use crate::crypto::Digest;
use crate::fetch::Client;
use crate::token::{RecentTokens, TokenCache, looks_signed};

const VALID_FOR: i64 = 30;
const INVALID_FOR: i64 = 5;

/// A token that says nothing has no reason to be longer.
const LONGEST_OPAQUE: usize = 2 * 1024;

/// So many questions are under way at once at most.
const LANES: usize = 64;

/// Asks an issuer about its tokens.
pub(crate) struct Introspector {
    pub(crate) settings: Introspection,
    pub(crate) client: Client,
    pub(crate) leeway: i64,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) valid: Arc<TokenCache>,
    invalid: RecentTokens<InvalidToken>,
    /// A token has its lane: who comes second waits, and finds the answer that the first got.
    lanes: [Mutex<()>; LANES],
    breaker: SyncMutex<Breaker>,
}

impl Introspector {
    pub(crate) fn new(
        settings: Introspection,
        client: Client,
        leeway: i64,
        clock: Arc<dyn Clock>,
        valid: Arc<TokenCache>,
    ) -> Self {
        Self {
            settings,
            client,
            leeway,
            clock,
            valid,
            invalid: RecentTokens::new(),
            lanes: std::array::from_fn(|_| Mutex::default()),
            breaker: SyncMutex::default(),
        }
    }

    /// What the issuer says about a token that is not among the valid ones that are remembered.
    pub(crate) async fn verify(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        if token.len() > LONGEST_OPAQUE && !looks_signed(token) {
            return Err(InvalidToken::TooLong.into());
        }
        if let Some(invalid) = self.invalid.get(&digest, self.now()) {
            return Err(invalid.into());
        }
        let _turn = self.turn(&digest).await.ok_or(Refusal::Unavailable)?;
        let now = self.now();
        if let Some(claims) = self.valid.get(&digest, now) {
            return Ok(claims);
        }
        if let Some(invalid) = self.invalid.get(&digest, now) {
            return Err(invalid.into());
        }
        if !self.breaker(|breaker| breaker.lets_through(now)) {
            return Err(Refusal::Unavailable);
        }
        self.ask(token, digest).await
    }

    async fn ask(&self, token: &str, digest: Digest) -> Result<Arc<Claims>, Refusal> {
        let epoch = self.valid.epoch();
        let asked = endpoint::ask(&self.client, &self.settings, token).await;
        let now = self.now();
        let answer = asked.map_err(|cause| {
            tracing::warn!(cause, "an issuer could not be asked about a token");
            self.breaker(|breaker| breaker.failed(now));
            Refusal::Unavailable
        })?;
        self.breaker(Breaker::succeeded);
        let Some(answer) = answer else {
            return Err(self.remember(digest, InvalidToken::Inactive));
        };
        match endpoint::check(&answer, &self.settings, self.leeway, now) {
            Ok(expires) => {
                let until = expires.unwrap_or(i64::MAX).min(now + VALID_FOR);
                let issuer = &self.settings.issuer;
                let expires = expires.unwrap_or(until);
                let claims = Arc::new(self.settings.mapping.read(issuer, expires, answer));
                self.valid.insert(digest, Arc::clone(&claims), until, epoch);
                Ok(claims)
            }
            Err(invalid) => Err(self.remember(digest, invalid)),
        }
    }

    fn remember(&self, digest: Digest, invalid: InvalidToken) -> Refusal {
        let (until, epoch) = (self.now() + INVALID_FOR, self.invalid.epoch());
        self.invalid.insert(digest, invalid, until, epoch);
        invalid.into()
    }

    async fn turn(&self, digest: &Digest) -> Option<MutexGuard<'_, ()>> {
        let [_, second, ..] = digest;
        let lane = self.lanes.get(usize::from(*second) % LANES)?;
        let limit = self.client.settings.timeout;
        tokio::time::timeout(limit, lane.lock()).await.ok()
    }

    fn breaker<T>(&self, work: impl FnOnce(&mut Breaker) -> T) -> T {
        work(&mut self.breaker.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn now(&self) -> i64 {
        seconds(&*self.clock)
    }
}

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use resource_oauth2::TokenVerifier;
use resource_oauth2::issuing::{Revocation, Revoked, follow_keys};
use resource_runtime::Error;

use crate::authorization_server::ServerState;
use crate::builder::{GREATEST_LEEWAY, OUTLASTING};
use crate::keys;
use crate::store::{
    ClientRow, ClientRowField, GrantRow, GrantRowField, RevokedTokenRow, RevokedTokenRowField,
};

/// Those that are told of new keys.
#[derive(Default)]
pub(super) struct KeyDistribution {
    verifiers: Mutex<Vec<TokenVerifier>>,
    /// The key set that they have; locked while a newer one is loaded, so that none is
    /// overtaken by an older.
    key_set: tokio::sync::Mutex<String>,
    /// How often it was asked for what was revoked.
    asked: AtomicU64,
    /// How often it had been when the last was loaded that is there; locked meanwhile, for the same
    /// reason.
    loaded: tokio::sync::Mutex<u64>,
}

impl ServerState {
    /// Has `verifier` told of new keys.
    pub(super) fn keep_current(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        self.give_keys(verifier)?;
        self.distribution.verifiers().push(verifier.clone());
        // Keys that came in between were handed to the followers alone.
        self.give_keys(verifier)
    }

    /// The keys that are current when it ends.
    fn give_keys(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        loop {
            let key_set = self.key_set();
            follow_keys(verifier, &self.issuer, &key_set.to_string())?;
            if self.key_set() == key_set {
                return Ok(());
            }
        }
    }

    /// Takes over what is revoked and which keys there are, also by other instances. Neither
    /// waits for the other to succeed.
    pub(super) async fn refresh(&self) -> Result<(), String> {
        let revoked = self.refresh_revoked().await;
        let keys = self.refresh_keys().await;
        revoked.map_err(|failure| failure.to_string()).and(keys)
    }

    /// Takes over which keys there are.
    pub(super) async fn refresh_keys(&self) -> Result<(), String> {
        let mut known = self.distribution.key_set.lock().await;
        let ring = keys::load(&self.store, &self.protection).await?;
        let former = self.keys.load_full();
        for problem in &ring.problems {
            if !former.problems.contains(problem) {
                tracing::error!(problem, "a signing key cannot be used");
            }
        }
        self.keys.store(Arc::new(ring));
        let key_set = self.key_set().to_string();
        if *known != key_set && self.distribution.hand_out(&self.issuer, &key_set) {
            *known = key_set;
        }
        Ok(())
    }

    /// Has that take effect which was written. Here it does whatever else fails; others of our
    /// instances are asked what they wrote.
    pub(super) async fn announce(&self, revoked: impl IntoIterator<Item = Revocation>) {
        for revocation in revoked {
            self.revoked.add(revocation);
        }
        if let Err(failure) = self.refresh_revoked().await {
            let cause = failure.to_string();
            tracing::warn!(cause, "what other instances revoked takes effect later");
        }
    }

    async fn refresh_revoked(&self) -> Result<(), Error> {
        let distribution = &self.distribution;
        let own = distribution.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut loaded = distribution.loaded.lock().await;
        if *loaded >= own {
            // It was loaded for another who waited, after we had asked.
            return Ok(());
        }
        let asked = distribution.asked.load(Ordering::SeqCst);
        let reading = self.revoked.begin_reading();
        self.revoked.replace(self.load_revoked().await?, reading);
        *loaded = asked;
        Ok(())
    }

    /// What tokens that are still good could name.
    async fn load_revoked(&self) -> Result<Revoked, Error> {
        let (now, store) = (self.now(), &self.store);
        let (revoked, ended) = (now - OUTLASTING, now - GREATEST_LEEWAY);
        Ok(Revoked {
            grants: store
                .keys_from::<GrantRow>(GrantRowField::RevokedAt, revoked)
                .await?,
            tokens: store
                .keys_from::<RevokedTokenRow>(RevokedTokenRowField::ExpiresAt, ended)
                .await?,
            clients: store
                .keys_from::<ClientRow>(ClientRowField::DisabledAt, i64::MIN)
                .await?,
        })
    }
}

impl KeyDistribution {
    fn verifiers(&self) -> MutexGuard<'_, Vec<TokenVerifier>> {
        self.verifiers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all of them took it.
    fn hand_out(&self, issuer: &str, key_set: &str) -> bool {
        let verifiers = self.verifiers().clone();
        let mut all = true;
        for verifier in verifiers {
            if let Err(error) = follow_keys(&verifier, issuer, key_set) {
                tracing::warn!(%error, "a verifier does not get the new keys");
                all = false;
            }
        }
        all
    }
}

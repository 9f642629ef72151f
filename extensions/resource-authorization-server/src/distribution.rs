//! Distribution of signing keys and revocations, from the database to this instance and its verifiers.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use resource_oauth2::TokenVerifier;
use resource_oauth2::issuing::{Revocation, Revoked, set_keys};
use resource_runtime::{ApiResource, Column, Error, Filter};

use crate::authorization_server::ServerState;
use crate::builder::{MAX_LEEWAY, MAX_TOKEN_AGE};
use crate::keys::{self, KeyRing};
use crate::store::{ClientRow, GrantRow, NO_LIMIT, RevokedTokenRow};

/// Verifiers that get every new key set, and the state of both reloads.
#[derive(Default)]
pub(super) struct Distribution {
    verifiers: Mutex<Vec<TokenVerifier>>,
    /// Key set installed in all verifiers. Held locked during a reload so that an older key set
    /// never replaces a newer one.
    key_set: tokio::sync::Mutex<String>,
    /// Number of reloads of the revocation list that were requested.
    reload_requests: AtomicU64,
    /// Generation of the installed revocation list: the number of requests that had come when its
    /// load began. Held locked during a reload so that an older list never replaces a newer one.
    generation: tokio::sync::Mutex<u64>,
}

impl ServerState {
    /// Registers a verifier for new key sets and installs the current one.
    pub(super) fn keep_current(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        // A verifier that does not trust this issuer fails here, before it is registered.
        self.install_keys(verifier)?;
        self.distribution.verifiers().push(verifier.clone());
        // Again, because keys loaded in between went to registered verifiers alone.
        self.install_keys(verifier)
    }

    /// Installs the key set; again if another one was loaded meanwhile, which it would overwrite.
    fn install_keys(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        loop {
            let key_set = self.key_set();
            set_keys(verifier, &self.issuer, &key_set.to_string())?;
            if self.key_set() == key_set {
                return Ok(());
            }
        }
    }

    /// Reloads revocations and keys, which other instances may have added. A failure of one does
    /// not keep the other from its reload.
    pub(super) async fn refresh(&self) -> Result<(), String> {
        let revoked = self.refresh_revoked().await;
        let keys = self.refresh_keys().await;
        revoked.map_err(|error| error.to_string()).and(keys)
    }

    /// Reloads the keys, and installs their key set in all verifiers if it changed.
    pub(super) async fn refresh_keys(&self) -> Result<(), String> {
        // An asynchronous lock, because it is held while the database responds.
        let mut installed = self.distribution.key_set.lock().await;
        let ring = keys::load(&self.api, &self.protection).await?;
        let previous = self.keys.load_full();
        // Reloads come every few seconds: each problem is logged when it is new.
        log_problems(&ring, &previous.problems);
        // Stored before verifiers get the set: `install_keys` relies on it to notice a newer one.
        self.keys.store(Arc::new(ring));
        let key_set = self.key_set().to_string();
        // After a failure the old value stays, so that the next reload tries again.
        if *installed != key_set && self.distribution.install(&self.issuer, &key_set) {
            *installed = key_set;
        }
        Ok(())
    }

    /// Applies revocations that were written to the database. On this instance they take effect
    /// even if the reload fails; the reload adds those of other instances.
    pub(super) async fn apply_revocations(&self, revoked: impl IntoIterator<Item = Revocation>) {
        for revocation in revoked {
            self.revoked.add(revocation);
        }
        if let Err(error) = self.refresh_revoked().await {
            let cause = error.to_string();
            tracing::warn!(cause, "revocations of other instances take effect later");
        }
    }

    /// Reloads the revocation list. Concurrent requests share a load that began after theirs.
    async fn refresh_revoked(&self) -> Result<(), Error> {
        let distribution = &self.distribution;
        // Numbered before the lock: a load that begins later covers this request as well.
        let own = distribution.reload_requests.fetch_add(1, Ordering::SeqCst) + 1;
        let mut generation = distribution.generation.lock().await;
        // Another request has loaded the list while this one waited for the lock.
        if *generation >= own {
            return Ok(());
        }
        // Counted before the load begins: a later request may concern a row that the load misses.
        let requested = distribution.reload_requests.load(Ordering::SeqCst);
        // Marked before the rows are read: revocations added meanwhile are merged into the result.
        let reading = self.revoked.begin_reading();
        self.revoked.replace(self.load_revoked().await?, reading);
        *generation = requested;
        Ok(())
    }

    /// Revocations that concern a token that a verifier with our clock could still accept.
    async fn load_revoked(&self) -> Result<Revoked, Error> {
        let now = self.now();
        // Older entries concern no token that a verifier with our clock would still accept.
        let (revoked_since, expired_since) = (now - MAX_TOKEN_AGE, now - MAX_LEEWAY);
        let grants = GrantRow::REVOKED_AT.ge(revoked_since);
        let tokens = RevokedTokenRow::EXPIRES_AT.ge(expired_since);
        // A disabled client stays revoked.
        let clients = !ClientRow::DISABLED_AT.is_null();
        Ok(Revoked {
            grants: self.keys(grants, GrantRow::ID).await?,
            tokens: self.keys(tokens, RevokedTokenRow::JTI).await?,
            clients: self.keys(clients, ClientRow::ID).await?,
        })
    }

    async fn keys<R: ApiResource>(
        &self,
        filter: Filter<R>,
        key: Column<R, String>,
    ) -> Result<HashSet<String>, Error> {
        let rows = self.api.items::<R>().filter(filter).limit(NO_LIMIT);
        Ok(rows.select(key).all().await?.into_iter().collect())
    }
}

/// Logs the problems of a ring, except those that are known.
pub(super) fn log_problems(ring: &KeyRing, known: &[String]) {
    for problem in ring.problems.iter().filter(|it| !known.contains(it)) {
        tracing::error!(problem, "a signing key cannot be used");
    }
}

impl Distribution {
    fn verifiers(&self) -> MutexGuard<'_, Vec<TokenVerifier>> {
        self.verifiers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Installs a key set in all verifiers; `false` if one of them refused it.
    fn install(&self, issuer: &str, key_set: &str) -> bool {
        // Cloned, so that the lock is free while the verifiers parse the set. Clones share their
        // keys.
        let verifiers = self.verifiers().clone();
        let mut all_installed = true;
        for verifier in verifiers {
            if let Err(error) = set_keys(&verifier, issuer, key_set) {
                tracing::warn!(%error, "a verifier refused the new keys");
                all_installed = false;
            }
        }
        all_installed
    }
}

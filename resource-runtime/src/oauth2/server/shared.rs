use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use serde_json::Value;

use super::keys::{self, KeyRing, Protection};
use super::lifetimes::Lifetimes;
use super::limits::Limits;
use super::owner::Host;
use super::store::{
    ClientRow, ClientRowField, GrantRow, GrantRowField, RevokedTokenRow, RevokedTokenRowField,
    Store,
};
use crate::error::{DatabaseFailure, Error};
use crate::oauth2::clock::{Clock, seconds};
use crate::oauth2::token::{Revoked, RevokedTokens};
use crate::oauth2::{Scopes, TokenVerifier};

/// What all requests share.
pub(super) struct Shared {
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) resource_name: Option<String>,
    pub(super) scopes: Scopes,
    pub(super) documentation: Option<String>,
    pub(super) lifetimes: Lifetimes,
    pub(super) store: Store,
    pub(super) protection: Protection,
    pub(super) keys: ArcSwap<KeyRing>,
    pub(super) revoked: Arc<RevokedTokens>,
    pub(super) host: Box<dyn Host>,
    pub(super) limits: Limits,
    pub(super) clock: Arc<dyn Clock>,
    /// Verifies our own tokens.
    pub(super) verifier: TokenVerifier,
    /// Those that are told of new keys and of what is revoked.
    pub(super) followers: Followers,
}

#[derive(Default)]
pub(super) struct Followers {
    verifiers: Mutex<Vec<TokenVerifier>>,
    /// The key set that they have; locked while a newer one is loaded, so that none is
    /// overtaken by an older.
    key_set: tokio::sync::Mutex<String>,
}

impl Shared {
    pub(super) fn now(&self) -> i64 {
        seconds(&*self.clock)
    }

    pub(super) fn key_set(&self) -> Value {
        self.keys.load().key_set(self.now())
    }

    /// Has `verifier` told of new keys and of what is revoked.
    pub(super) fn keep_current(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        verifier.replace_keys(&self.issuer, &self.key_set().to_string())?;
        self.followers.add(verifier.clone());
        Ok(())
    }

    /// Takes over which keys there are and what is revoked, also by other instances.
    pub(super) async fn refresh(&self) -> Result<(), String> {
        let mut known = self.followers.key_set.lock().await;
        let ring = keys::load(&self.store, &self.protection, self.lifetimes.outlasting()).await?;
        self.keys.store(Arc::new(ring));
        let revoked = self.load_revoked().await;
        let revoked = revoked.map_err(|failure| failure.to_string())?;
        let forget = self.revoked.replace(revoked);
        let key_set = self.key_set().to_string();
        for verifier in self.followers.all() {
            if *known != key_set {
                self.hand_keys(&verifier, &key_set);
            }
            if forget {
                verifier.forget_verified();
            }
        }
        *known = key_set;
        Ok(())
    }

    /// The same, after something was written that others must learn of.
    pub(super) async fn announce(&self) {
        if let Err(cause) = self.refresh().await {
            tracing::warn!(cause, "what was revoked takes effect later");
        }
    }

    fn hand_keys(&self, verifier: &TokenVerifier, key_set: &str) {
        if let Err(error) = verifier.replace_keys(&self.issuer, key_set) {
            tracing::warn!(%error, "a verifier does not get the new keys");
        }
    }

    /// What tokens that are still good could name.
    async fn load_revoked(&self) -> Result<Revoked, DatabaseFailure> {
        let since = self.now().saturating_sub(self.lifetimes.outlasting());
        let grants = Some((GrantRowField::RevokedAt, since));
        let grants = self.store.list::<GrantRow>(grants).await?;
        let tokens = Some((RevokedTokenRowField::ExpiresAt, since));
        let tokens = self.store.list::<RevokedTokenRow>(tokens).await?;
        let clients = Some((ClientRowField::DisabledAt, since));
        let clients = self.store.list::<ClientRow>(clients).await?;
        Ok(Revoked {
            grants: grants.into_iter().map(|row| row.id).collect(),
            tokens: tokens.into_iter().map(|row| row.jti).collect(),
            clients: clients.into_iter().map(|row| row.id).collect(),
        })
    }
}

impl Followers {
    fn all(&self) -> Vec<TokenVerifier> {
        let verifiers = self.verifiers.lock();
        verifiers.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, verifier: TokenVerifier) {
        let verifiers = self.verifiers.lock();
        verifiers
            .unwrap_or_else(PoisonError::into_inner)
            .push(verifier);
    }
}

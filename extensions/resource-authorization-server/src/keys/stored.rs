//! Stored signing keys: loading them, adding the first, and key rotation.

use std::time::SystemTime;

use resource_oauth2::issuing::{SigningKey, moment};
use resource_runtime::{Api, Error, Isolation, Transaction};

use super::ring::{RingKey, public_jwk, thumbprint};
use super::{KeyRing, Protection};
use crate::store::{KeyRow, NO_LIMIT, TransactionScript};

const ALGORITHM: &str = "ES256";

/// A signing key that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedKey {
    id: String,
    active_from: i64,
}

impl AddedKey {
    /// Its id: the `kid` of the tokens that it will sign.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Moment at which it replaces the key that signs now. It is published before, so that all
    /// verifiers have it by then.
    #[must_use]
    pub fn active_from(&self) -> SystemTime {
        moment(self.active_from)
    }
}

/// Loads all keys. A key that cannot be used is a problem in the ring and does not keep the others
/// from it.
pub(crate) async fn load(api: &Api, protection: &Protection) -> Result<KeyRing, String> {
    let rows = api.items::<KeyRow>().limit(NO_LIMIT).all().await;
    let rows = rows.map_err(|failure| failure.to_string())?;
    let (mut keys, mut problems) = (Vec::new(), Vec::new());
    for row in rows {
        // A key that cannot be opened is still looked at: tokens that it signed may be valid.
        let signing = protection.open(&row);
        problems.extend(signing.as_ref().err().cloned());
        // Its problem is reported above; its public key is not published.
        if !protection.admits(&row) {
            continue;
        }
        // Computed from the private key where possible: the column could have been altered.
        let public = match &signing {
            Ok(key) => public_jwk(&row.kid, key),
            Err(_) if protection.trusts_rows() => serde_json::from_str(&row.public_jwk).ok(),
            Err(_) => None,
        };
        keys.push(RingKey {
            kid: row.kid,
            active_from: row.active_from,
            public,
            signing,
        });
    }
    Ok(KeyRing::new(keys, problems))
}

/// Adds the first key, which signs at once, unless there is one. The inner error is for the
/// operator: sealed and unsealed keys cannot be mixed.
pub(crate) struct AddFirstKey<'server> {
    pub(crate) protection: &'server Protection,
    pub(crate) now: i64,
}

impl TransactionScript for AddFirstKey<'_> {
    type Outcome = Result<(), String>;

    const ISOLATION: Isolation = Isolation::Serializable;

    async fn run(&self, transaction: &mut Transaction) -> Result<Self::Outcome, Error> {
        let stored = all_keys(transaction).await?;
        if let Some(problem) = protection_mismatch(self.protection, &stored) {
            return Ok(Err(problem));
        }
        // Keys are there at a restart, or if another instance added the first one while this one
        // waited for the lock.
        if stored.is_empty() {
            insert_key(transaction, self.protection, self.now, self.now).await?;
        }
        Ok(Ok(()))
    }
}

/// Adds the next key, unless one is pending already.
pub(crate) struct AddNextKey<'server> {
    pub(crate) protection: &'server Protection,
    pub(crate) now: i64,
    pub(crate) active_from: i64,
}

impl TransactionScript for AddNextKey<'_> {
    type Outcome = Result<AddedKey, String>;

    const ISOLATION: Isolation = Isolation::Serializable;

    async fn run(&self, transaction: &mut Transaction) -> Result<Self::Outcome, Error> {
        let stored = all_keys(transaction).await?;
        if let Some(problem) = protection_mismatch(self.protection, &stored) {
            return Ok(Err(problem));
        }
        if stored.iter().any(|key| key.active_from > self.now) {
            return Ok(Err(PENDING_KEY.to_owned()));
        }
        let added = insert_key(transaction, self.protection, self.now, self.active_from).await?;
        Ok(Ok(added))
    }
}

const PENDING_KEY: &str = "a key that was added before still waits for its turn; rotate after that";

fn protection_mismatch(protection: &Protection, stored: &[KeyRow]) -> Option<String> {
    stored.iter().find_map(|row| protection.mismatch(row))
}

/// All keys for ES256.
async fn all_keys(transaction: &mut Transaction) -> Result<Vec<KeyRow>, Error> {
    let keys = transaction
        .items::<KeyRow>()
        .filter(KeyRow::ALGORITHM.eq(ALGORITHM));
    keys.limit(NO_LIMIT).all().await
}

async fn insert_key(
    transaction: &mut Transaction,
    protection: &Protection,
    now: i64,
    active_from: i64,
) -> Result<AddedKey, Error> {
    let row = generate(protection, now, active_from).map_err(Error::internal)?;
    let id = transaction.items().insert(row).await?.kid;
    Ok(AddedKey { id, active_from })
}

fn generate(protection: &Protection, now: i64, active_from: i64) -> Result<KeyRow, String> {
    let (key, private) = SigningKey::generate()?;
    let kid = thumbprint(&key).ok_or("a key has no public point")?;
    let public = public_jwk(&kid, &key).ok_or("a key has no public point")?;
    // The key id is bound into the seal, so that the rows of two keys cannot be swapped.
    let (private_key, is_sealed) = protection.protect(&kid, private)?;
    Ok(KeyRow {
        kid,
        algorithm: ALGORITHM.to_owned(),
        private_key,
        is_sealed,
        public_jwk: public.to_string(),
        active_from,
        created_at: now,
    })
}

use std::time::SystemTime;

use resource_oauth2::issuing::{SigningKey, moment};
use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, Rows, TransactionScript};

use super::ring::{HeldKey, public, thumbprint};
use super::{KeyRing, Protection};
use crate::store::{KeyRow, KeyRowField};

const ALGORITHM: &str = "ES256";

/// A signing key that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedKey {
    id: String,
    active_from: i64,
}

impl AddedKey {
    /// Its name, the `kid` of the tokens that it will sign.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// When it takes the place of the key that signs now. Until then it is published, so that
    /// everyone who verifies tokens has it by then.
    #[must_use]
    pub fn active_from(&self) -> SystemTime {
        moment(self.active_from)
    }
}

/// All keys that are stored. One that cannot be used does not keep the others from it.
pub(crate) async fn load(store: &Rows, protection: &Protection) -> Result<KeyRing, String> {
    let rows = store.list::<KeyRow>().await;
    let rows = rows.map_err(|failure| failure.to_string())?;
    let (mut keys, mut problems) = (Vec::new(), Vec::new());
    for row in rows {
        let signing = protection.open(&row);
        problems.extend(signing.as_ref().err().cloned());
        if !protection.admits(&row) {
            continue;
        }
        let public = match &signing {
            Ok(key) => public(&row.kid, key),
            Err(_) if protection.believes_rows() => serde_json::from_str(&row.public_jwk).ok(),
            Err(_) => None,
        };
        keys.push(HeldKey {
            kid: row.kid,
            active_from: row.active_from,
            public,
            signing,
        });
    }
    Ok(KeyRing::new(keys, problems))
}

/// Makes the first key, which signs at once, where there is none. The error is for those who run
/// the service: keys that are sealed and keys that are not do not stand side by side.
pub(crate) struct FirstKey<'server> {
    pub(crate) protection: &'server Protection,
    pub(crate) now: i64,
}

impl TransactionScript for FirstKey<'_> {
    type Outcome = Result<(), String>;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Self::Outcome, Error> {
        let stored = stored(transaction).await?;
        if let Some(problem) = mixture(self.protection, &stored) {
            return Ok(Err(problem));
        }
        if stored.is_empty() {
            add(transaction, self.protection, self.now, self.now).await?;
        }
        Ok(Ok(()))
    }
}

/// Adds the key that follows the one that signs, unless one is waiting to do so.
pub(crate) struct NextKey<'server> {
    pub(crate) protection: &'server Protection,
    pub(crate) now: i64,
    pub(crate) active_from: i64,
}

impl TransactionScript for NextKey<'_> {
    type Outcome = Result<AddedKey, String>;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Self::Outcome, Error> {
        let stored = stored(transaction).await?;
        if let Some(problem) = mixture(self.protection, &stored) {
            return Ok(Err(problem));
        }
        if stored.iter().any(|key| key.active_from > self.now) {
            return Ok(Err(WAITING.to_owned()));
        }
        let added = add(transaction, self.protection, self.now, self.active_from).await?;
        Ok(Ok(added))
    }
}

const WAITING: &str = "a key that was added before still waits for its turn; rotate after that";

fn mixture(protection: &Protection, stored: &[KeyRow]) -> Option<String> {
    stored.iter().find_map(|row| protection.mistake_of(row))
}

/// The keys, of which nobody adds one until the transaction ends.
async fn stored(transaction: &mut RowTransaction) -> Result<Vec<KeyRow>, Error> {
    transaction.lock_table::<KeyRow>().await?;
    transaction.find_by(KeyRowField::Algorithm, ALGORITHM).await
}

async fn add(
    transaction: &mut RowTransaction,
    protection: &Protection,
    now: i64,
    active_from: i64,
) -> Result<AddedKey, Error> {
    let row = new(protection, now, active_from).map_err(Error::internal)?;
    transaction.insert(&row).await?;
    let id = row.kid;
    Ok(AddedKey { id, active_from })
}

fn new(protection: &Protection, now: i64, active_from: i64) -> Result<KeyRow, String> {
    let (key, private) = SigningKey::generate()?;
    let kid = thumbprint(&key).ok_or("a key has no public point")?;
    let public_jwk = public(&kid, &key).ok_or("a key has no public point")?;
    let (private_key, is_sealed) = protection.protect(&kid, private)?;
    Ok(KeyRow {
        kid,
        algorithm: ALGORITHM.to_owned(),
        private_key,
        is_sealed,
        public_jwk: public_jwk.to_string(),
        active_from,
        created_at: now,
    })
}

use std::time::SystemTime;

use super::super::store::{KeyRow, Store, Work};
use super::super::text::moment;
use super::ring::{HeldKey, thumbprint};
use super::{KeyRing, Protection};
use crate::error::DatabaseFailure;
use crate::execute::Transaction;
use crate::oauth2::crypto::SigningKey;
use crate::oauth2::server::store::KeyRowField;

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

/// All keys that are stored.
pub(in crate::oauth2::server) async fn load(
    store: &Store,
    protection: &Protection,
    outlasting: i64,
) -> Result<KeyRing, String> {
    let rows = store.list::<KeyRow>(None).await;
    let rows = rows.map_err(|failure| failure.to_string())?;
    let held = rows.into_iter().map(|row| {
        Ok(HeldKey {
            signing: protection.open(&row)?,
            active_from: row.active_from,
            kid: row.kid,
        })
    });
    Ok(KeyRing::new(
        held.collect::<Result<_, String>>()?,
        outlasting,
    ))
}

/// Makes the first key, which signs at once, where there is none.
pub(in crate::oauth2::server) struct FirstKey<'server> {
    pub(in crate::oauth2::server) protection: &'server Protection,
    pub(in crate::oauth2::server) now: i64,
}

impl Work for FirstKey<'_> {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), DatabaseFailure> {
        if stored(transaction).await?.is_empty() {
            add(transaction, self.protection, self.now, self.now).await?;
        }
        Ok(())
    }
}

/// Adds the key that follows the one that signs; `None` where one is waiting to do so.
pub(in crate::oauth2::server) struct NextKey<'server> {
    pub(in crate::oauth2::server) protection: &'server Protection,
    pub(in crate::oauth2::server) now: i64,
    pub(in crate::oauth2::server) active_from: i64,
}

impl Work for NextKey<'_> {
    type Outcome = Option<AddedKey>;

    async fn run(
        &self,
        transaction: &mut Transaction,
    ) -> Result<Option<AddedKey>, DatabaseFailure> {
        let stored = stored(transaction).await?;
        if stored.iter().any(|key| key.active_from > self.now) {
            return Ok(None);
        }
        let added = add(transaction, self.protection, self.now, self.active_from).await?;
        Ok(Some(added))
    }
}

/// The keys, of which nobody adds one until the transaction ends.
async fn stored(transaction: &mut Transaction) -> Result<Vec<KeyRow>, DatabaseFailure> {
    transaction.write_alone::<KeyRow>().await?;
    transaction
        .all_with(KeyRowField::Algorithm, ALGORITHM)
        .await
}

async fn add(
    transaction: &mut Transaction,
    protection: &Protection,
    now: i64,
    active_from: i64,
) -> Result<AddedKey, DatabaseFailure> {
    let row = new(protection, now, active_from).map_err(DatabaseFailure::unexpected)?;
    transaction.store(&row).await?;
    let id = row.kid;
    Ok(AddedKey { id, active_from })
}

fn new(protection: &Protection, now: i64, active_from: i64) -> Result<KeyRow, String> {
    let (key, private) = SigningKey::generate()?;
    let kid = thumbprint(&key).ok_or("a key has no public point")?;
    let (private_key, is_sealed) = protection.protect(&kid, private)?;
    Ok(KeyRow {
        kid,
        algorithm: ALGORITHM.to_owned(),
        private_key,
        is_sealed,
        active_from,
        created_at: now,
    })
}

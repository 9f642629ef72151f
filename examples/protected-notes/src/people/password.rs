//! Password hashes.

use argon2::Argon2;
use argon2::password_hash::{Error, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::Outcome;

/// Limit of concurrent hash computations: each takes 19 MiB, and too many could exhaust the memory.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Hashes a password. Hashing is slow on purpose, so it runs on a thread for blocking work.
pub(super) async fn hash(password: String) -> Outcome<String> {
    let _turn = AT_ONCE.acquire().await?;
    let hash = spawn_blocking(move || Argon2::default().hash_password(password.as_bytes()));
    Ok(hash.await??.to_string())
}

pub(super) async fn is_hashed(password: String, hash: String) -> Outcome<bool> {
    let _turn = AT_ONCE.acquire().await?;
    let verified =
        spawn_blocking(move || Argon2::default().verify_password(password.as_bytes(), &*hash));
    match verified.await? {
        Ok(()) => Ok(true),
        Err(Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

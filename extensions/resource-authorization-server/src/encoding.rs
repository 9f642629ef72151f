//! Small conversions: random secrets, digests, character sets, durations as seconds.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use resource_oauth2::issuing::{digest, random, same};

/// Bytes in the base64url alphabet, without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A random secret of 256 bits. Clients may form-encode credentials or not: no encoding changes its
/// characters.
pub(super) fn secret() -> Result<String, String> {
    Ok(encode(&random::<32>()?))
}

/// A random, unique identifier. It begins with a letter or a digit so that no command line takes it
/// for an option.
pub(super) fn identifier() -> Result<String, String> {
    loop {
        let name = encode(&random::<16>()?);
        if name.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            return Ok(name);
        }
    }
}

/// The digest that is stored in place of a secret. Secrets have so many bits that a slow hash is
/// not needed.
pub(super) fn hash(secret: &str) -> String {
    encode(&digest(secret.as_bytes()))
}

/// Compares a secret with a stored digest, in constant time.
pub(super) fn matches_hash(secret: &str, stored: &str) -> bool {
    same(hash(secret).as_bytes(), stored.as_bytes())
}

/// Tests for unreserved characters alone (RFC 3986, section 2.3), which no encoding of URLs or
/// forms changes, so that all clients send the same.
pub(super) fn is_unreserved(text: &str) -> bool {
    let permitted =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    text.bytes().all(permitted)
}

/// Tests for base64url characters alone.
pub(super) fn is_base64url(text: &str) -> bool {
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    text.bytes().all(permitted)
}

pub(super) fn whole_seconds(duration: Duration) -> i64 {
    // The builder bounds all lifetimes, so none of them saturates here.
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_begin_with_a_letter_or_digit() {
        for _ in 0..2_000 {
            let name = identifier().unwrap();
            assert_eq!(name.len(), 22);
            assert!(name.as_bytes()[0].is_ascii_alphanumeric(), "{name}");
        }
    }
}

//! Small conversions: secrets and digests as text, durations as seconds.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use resource_oauth2::issuing::{digest, random, same};

/// Bytes in the base64url alphabet, without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A new secret of 256 bits; its alphabet means the same to clients that encode credentials and
/// to those that do not.
pub(super) fn secret() -> Result<String, String> {
    Ok(encode(&random::<32>()?))
}

/// A new name that no other has. It begins with a letter or a digit, lest a command line takes it
/// for an option.
pub(super) fn identifier() -> Result<String, String> {
    loop {
        let name = encode(&random::<16>()?);
        if name.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            return Ok(name);
        }
    }
}

/// What is stored of a secret.
pub(super) fn hash(secret: &str) -> String {
    encode(&digest(secret.as_bytes()))
}

/// Whether `secret` is the one whose digest is stored. The time that it takes tells nothing.
pub(super) fn is_hashed(secret: &str, stored: &str) -> bool {
    same(hash(secret).as_bytes(), stored.as_bytes())
}

/// Whether it is of characters alone that no encoding of URLs or forms changes (RFC 3986, section
/// 2.3), so that all clients send the same.
pub(super) fn is_unreserved(text: &str) -> bool {
    let permitted =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    text.bytes().all(permitted)
}

/// Whether it is of the base64url alphabet alone.
pub(super) fn is_base64url(text: &str) -> bool {
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    text.bytes().all(permitted)
}

pub(super) fn whole_seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_identifier_looks_like_an_option() {
        for _ in 0..2_000 {
            let name = identifier().unwrap();
            assert_eq!(name.len(), 22);
            assert!(name.as_bytes()[0].is_ascii_alphanumeric(), "{name}");
        }
    }
}

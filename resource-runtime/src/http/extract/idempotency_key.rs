//! The header `Idempotency-Key`, and the digests by which a request is known again.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use resource_model::error::{ApiError, ErrorCode};

use super::headers::{IDEMPOTENCY_KEY, PREFER};
use crate::Principal;
use crate::authorization::Caller;
use crate::operation::{IdempotencyKeys, KeyedRequest, Service};

/// The greatest length of a key.
const MAX_LENGTH: usize = 255;

/// The least length of a key of a caller without a name, who shares the keys with all others.
const MIN_ANONYMOUS_LENGTH: usize = 16;

/// The headers that make another request of the same body.
static FINGERPRINTED: [HeaderName; 2] = [header::CONTENT_TYPE, PREFER];

/// A key as it was sent, and its digest with that of the caller.
#[derive(Debug)]
pub(crate) struct SentKey {
    keys: Arc<IdempotencyKeys>,
    text: String,
    digest: String,
}

/// The key of a request; none where it has none.
pub(crate) fn idempotency_key(
    request: &Parts,
    caller: &Caller,
    service: &Service,
) -> Result<Option<SentKey>, ApiError> {
    let Some(keys) = &service.idempotency else {
        return Ok(None);
    };
    let mut values = request.headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        if service.definition.requires_idempotency_key() {
            return Err(malformed(
                "the header `Idempotency-Key` is required here; send a new UUID with each new item",
            ));
        }
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(malformed(
            "the header `Idempotency-Key` stands there more than once; send it once",
        ));
    }
    let text = value.to_str().ok().and_then(unquoted);
    let text = text.ok_or_else(|| {
        malformed("an `Idempotency-Key` is 1 to 255 visible ASCII characters, like a UUID, in double quotes or without")
    })?;
    let caller = named(request, caller);
    if caller.is_none() && text.len() < MIN_ANONYMOUS_LENGTH {
        return Err(malformed(
            "an `Idempotency-Key` without a user has at least 16 characters; take a random UUID",
        ));
    }
    let named = caller.unwrap_or_default().into_iter();
    let digest = digest(named.chain([&*text]).map(str::as_bytes));
    let keys = Arc::clone(keys);
    Ok(Some(SentKey { keys, text, digest }))
}

/// The caller's issuer, subject and client; none of an anonymous one.
fn named<'request>(
    request: &'request Parts,
    caller: &'request Caller,
) -> Option<[&'request str; 3]> {
    if let Caller::Bearer(claims) = caller {
        let others = [claims.subject(), claims.client_id()];
        let [subject, client] = others.map(Option::unwrap_or_default);
        return Some([claims.issuer(), subject, client]);
    }
    let principal = request.extensions.get::<Principal>()?;
    Some(["", principal.subject(), ""])
}

/// The key without the quotes of a string (RFC 8941, section 3.3.3).
fn unquoted(text: &str) -> Option<String> {
    let text = text.trim();
    let mut key = String::with_capacity(text.len());
    let quoted = text.strip_prefix('"');
    let inner = match quoted {
        Some(rest) => rest.strip_suffix('"')?,
        None => text,
    };
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        key.push(match character {
            '\\' if quoted.is_some() => characters.next().filter(|it| matches!(it, '"' | '\\'))?,
            '"' if quoted.is_some() => return None,
            '!'..='~' => character,
            _ => return None,
        });
    }
    (1..=MAX_LENGTH).contains(&key.len()).then_some(key)
}

impl SentKey {
    /// The request that has the key. Its fingerprint holds the key, so that nobody who reads the table can try bodies.
    pub(crate) fn of_request(self, path: &str, headers: &HeaderMap, body: &[u8]) -> KeyedRequest {
        let sent = FINGERPRINTED.iter().flat_map(|name| {
            let values = headers.get_all(name).iter().map(HeaderValue::as_bytes);
            // Behind the name, so that no value counts for another header.
            std::iter::once(name.as_str().as_bytes()).chain(values)
        });
        let text = self.text.as_bytes();
        KeyedRequest {
            fingerprint: digest([text, path.as_bytes(), body].into_iter().chain(sent)),
            keys: self.keys,
            key: self.digest,
        }
    }
}

/// The digest of all parts, each behind its length, so that none runs into the next.
fn digest<'part>(parts: impl Iterator<Item = &'part [u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part);
    }
    BASE64.encode(hasher.finalize().as_bytes())
}

fn malformed(message: &str) -> ApiError {
    ApiError::new(ErrorCode::MalformedIdempotencyKey, message)
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn quoted_and_bare_keys_are_one() {
        for text in ["\"a\\\"b\"", "a\"b", " a\"b "] {
            assert_eq!(unquoted(text).as_deref(), Some("a\"b"), "{text}");
        }
        assert_eq!(unquoted(&"k".repeat(255)).map(|it| it.len()), Some(255));
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "k".repeat(256);
        for text in ["", "\"\"", "\"a", "\"a\"b\"", "\"\\n\"", "a b", "ä", &long] {
            assert_eq!(unquoted(text), None, "{text}");
        }
    }
}

//! Request ids: those that clients send in `x-request-id`, and fresh ones.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::json::push_hex;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is accepted from a client.
const MAX_LENGTH: usize = 128;

/// The client's id, if it is sane enough to stand in logs and pages; else one of our own.
pub(crate) fn request_id(headers: &HeaderMap) -> String {
    let sent = headers.get(REQUEST_ID);
    match sent.and_then(|value| value.to_str().ok()) {
        Some(id) if is_sane(id) => id.to_owned(),
        _ => fresh(),
    }
}

/// The id as a header; ids are ASCII, so there is always one.
pub(crate) fn header(id: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(id).ok()
}

fn is_sane(id: &str) -> bool {
    // No character that would need escaping in HTML or in a line of a log.
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:+/=".contains(&byte);
    !id.is_empty() && id.len() <= MAX_LENGTH && id.bytes().all(is_allowed)
}

/// A new id: random for each process and counted within it.
pub(crate) fn fresh() -> String {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(()));
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Only the number itself is shared, and each is given once, so the order of memory does not matter.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    // Several instances write to one log, so the counter alone would not tell their requests apart.
    let mut id = Vec::with_capacity(33);
    push_hex(&PROCESS.to_be_bytes(), &mut id);
    id.push(b'-');
    // Eight digits, as long as they are enough.
    let zeros = (number.leading_zeros() as usize / 8).min(4);
    let digits = number.to_be_bytes();
    push_hex(digits.get(zeros..).unwrap_or_default(), &mut id);
    // Digits are always a text.
    String::from_utf8(id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{REQUEST_ID, request_id};

    fn id_for(sent: &'static str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID, HeaderValue::from_static(sent));
        request_id(&headers)
    }

    #[test]
    fn a_sane_id_is_kept_and_others_are_replaced() {
        assert_eq!(id_for("order-7.retry:2"), "order-7.retry:2");
        for insane in ["", "a b", "<script>", "a\"b"] {
            assert_ne!(id_for(insane), insane);
        }
    }

    #[test]
    fn fresh_ids_differ() {
        let headers = HeaderMap::new();
        assert_ne!(request_id(&headers), request_id(&headers));
    }
}

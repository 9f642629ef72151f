//! Bearer tokens in the header `Authorization` (RFC 6750, section 2.1).

use axum::http::{HeaderMap, HeaderValue, header};
use resource_runtime::authorization::Refusal;

const SCHEME: &[u8] = b"bearer";

/// The access token of a request. Only the header `Authorization` is read: tokens in URLs end up in logs.
///
/// ```
/// use axum::http::{HeaderMap, HeaderValue, header};
/// use resource_oauth2::{Refusal, bearer_token};
///
/// let mut headers = HeaderMap::new();
/// assert_eq!(bearer_token(&headers), Err(Refusal::MissingToken));
///
/// let value = HeaderValue::from_static("Bearer mF_9.B5f-4.1JqM");
/// headers.insert(header::AUTHORIZATION, value);
/// assert_eq!(bearer_token(&headers), Ok("mF_9.B5f-4.1JqM"));
/// ```
pub fn bearer_token(headers: &HeaderMap) -> Result<&str, Refusal> {
    well_formed(bearer_from_headers(headers)?)
}

/// The credentials of the scheme `Bearer`, not yet checked for the form of a token. Two headers are refused,
/// because a proxy might check the other one.
pub(super) fn bearer_from_headers(headers: &HeaderMap) -> Result<&[u8], Refusal> {
    // Two steps of the iterator tell one value from several, without a list of all.
    let mut values = headers.get_all(header::AUTHORIZATION).into_iter();
    match (values.next(), values.next()) {
        (None, _) => Err(Refusal::MissingToken),
        (Some(value), None) => credentials(value),
        (Some(_), Some(_)) => Err(Refusal::MalformedHeader),
    }
}

/// The part behind the scheme; another scheme counts as no token.
fn credentials(value: &HeaderValue) -> Result<&[u8], Refusal> {
    let value = value.as_bytes();
    // A scheme alone, without a token, is still `Bearer`: its empty token is malformed, not missing.
    let end_of_scheme = value.iter().position(|byte| *byte == b' ');
    let (scheme, rest) = value.split_at(end_of_scheme.unwrap_or(value.len()));
    // Names of schemes are compared without case (RFC 9110, section 11.1).
    let is_bearer = scheme.eq_ignore_ascii_case(SCHEME);
    // Several spaces may follow the scheme (RFC 9110, section 11.4).
    let token = is_bearer.then(|| rest.trim_ascii());
    token.ok_or(Refusal::MissingToken)
}

/// Checks the syntax of a token, `b64token` of RFC 6750.
pub(super) fn well_formed(token: &[u8]) -> Result<&str, Refusal> {
    // The allowed characters are ASCII, so a text that is no UTF-8 is malformed as well.
    let token = str::from_utf8(token).map_err(|_| Refusal::MalformedHeader)?;
    // Padding is allowed at the end alone, so it is taken off before the test of the characters.
    let text = token.trim_end_matches('=');
    let is_sound = !text.is_empty() && text.bytes().all(is_permitted);
    is_sound.then_some(token).ok_or(Refusal::MalformedHeader)
}

const fn is_permitted(byte: u8) -> bool {
    // The grammar of RFC 6750, section 2.1; signed tokens use a part of it, opaque ones may use all.
    matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};
    use resource_runtime::authorization::Refusal;

    use super::bearer_token;

    /// The token of a request with these headers.
    fn parse(values: &[&[u8]]) -> Result<String, Refusal> {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_bytes(value).unwrap();
            headers.append(header::AUTHORIZATION, value);
        }
        bearer_token(&headers).map(str::to_owned)
    }

    #[test]
    fn scheme_is_case_insensitive_and_spaces_are_trimmed() {
        for value in ["Bearer a.b", "bearer a.b", "BEARER  a.b", "Bearer a.b "] {
            assert_eq!(
                parse(&[value.as_bytes()]),
                Ok("a.b".to_owned()),
                "{value:?}"
            );
        }
        assert_eq!(parse(&[b"Bearer a-._~+/9=="]), Ok("a-._~+/9==".to_owned()));
    }

    #[test]
    fn another_scheme_counts_as_a_missing_token() {
        for value in [
            &b""[..],
            b"Basic YTpi",
            b"Bearertoken",
            b"Bearer,a",
            b"\xff\xfe",
            b"DPoP a",
        ] {
            assert_eq!(parse(&[value]), Err(Refusal::MissingToken), "{value:?}");
        }
    }

    #[test]
    fn invalid_token_syntax_is_malformed() {
        for value in [
            &b"Bearer"[..],
            b"Bearer ",
            b"Bearer =",
            b"Bearer a b",
            b"Bearer a,b",
            b"Bearer a=b",
            b"Bearer \"a\"",
            b"Bearer a\tb",
            b"Bearer \xc3\xbc",
        ] {
            assert_eq!(parse(&[value]), Err(Refusal::MalformedHeader), "{value:?}");
        }
    }

    #[test]
    fn two_authorization_headers_are_malformed() {
        for values in [[&b"Bearer a"[..], b"Bearer a"], [b"Basic a", b"Bearer a"]] {
            assert_eq!(parse(&values), Err(Refusal::MalformedHeader));
        }
    }
}

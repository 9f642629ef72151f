//! Parsing of signed tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use resource_runtime::authorization::InvalidToken;
use serde_json::{Map, Value};

use crate::algorithm::by_name;

/// A signed token in compact serialization (RFC 7515, section 7.1), parsed and not yet verified.
///
/// Only these header parameters are read: keys that a token brings or links (`jwk`, `jku`, `x5c`, `x5u`) are
/// ignored, because an attacker would choose them.
pub(crate) struct Compact<'token> {
    pub(crate) algorithm: Algorithm,
    pub(crate) key_id: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) claims: Map<String, Value>,
    pub(crate) signed: &'token [u8],
    pub(crate) signature: Vec<u8>,
}

/// Tests for the three parts of a signed token; all other tokens are opaque.
pub(crate) fn looks_signed(token: &str) -> bool {
    // Only the form is tested: whether the parts can be decoded is found by parsing.
    token.split('.').count() == 3
}

impl<'token> Compact<'token> {
    /// Parses a token. Unknown critical parameters and an unencoded payload (RFC 7797) are refused, because a
    /// verifier that ignores them would verify something else than the issuer signed.
    pub(crate) fn parse(token: &'token str) -> Result<Self, InvalidToken> {
        // The signature covers header and payload with the dot between them (RFC 7515, section 5.2), so the
        // last dot comes first.
        let (signed, signature) = token.rsplit_once('.').ok_or(InvalidToken::Unreadable)?;
        let (header, payload) = signed.split_once('.').ok_or(InvalidToken::Unreadable)?;
        // The header is judged before the payload is decoded, which is the larger part.
        let header = object(header)?;
        if header.contains_key("crit") || header.get("b64").is_some_and(|b64| b64 != true) {
            return Err(InvalidToken::CriticalHeader);
        }
        // Every signed token names its algorithm (RFC 7515, section 4.1.1); which are permitted is not
        // decided here.
        let algorithm = text(&header, "alg")?.ok_or(InvalidToken::Algorithm)?;
        Ok(Self {
            algorithm: by_name(&algorithm).ok_or(InvalidToken::Algorithm)?,
            key_id: text(&header, "kid")?,
            kind: text(&header, "typ")?,
            claims: object(payload)?,
            signed: signed.as_bytes(),
            signature: bytes(signature)?,
        })
    }
}

fn object(part: &str) -> Result<Map<String, Value>, InvalidToken> {
    // The cause is dropped: it would quote an unverified token.
    serde_json::from_slice(&bytes(part)?).map_err(|_| InvalidToken::Unreadable)
}

fn bytes(part: &str) -> Result<Vec<u8>, InvalidToken> {
    let decoded = URL_SAFE_NO_PAD.decode(part);
    decoded.map_err(|_| InvalidToken::Unreadable)
}

fn text(header: &Map<String, Value>, name: &str) -> Result<Option<String>, InvalidToken> {
    match header.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        // Another type is an error, not absence: a `typ` or `kid` that is ignored would weaken the checks.
        Some(_) => Err(InvalidToken::Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use resource_runtime::authorization::InvalidToken;

    use super::Compact;

    fn parse(header: &str, payload: &str) -> Result<(), InvalidToken> {
        let [header, payload] = [header, payload].map(|part| URL_SAFE_NO_PAD.encode(part));
        Compact::parse(&format!("{header}.{payload}.AAAA")).map(|_| ())
    }

    #[test]
    fn critical_header_parameters_are_refused() {
        let parsed = |header| parse(header, "{}");
        assert_eq!(parsed(r#"{"alg": "ES256", "b64": true}"#), Ok(()));
        for header in [
            r#"{"alg": "ES256", "crit": ["exp"]}"#,
            r#"{"alg": "ES256", "crit": []}"#,
            r#"{"alg": "ES256", "crit": null}"#,
            r#"{"alg": "ES256", "b64": false}"#,
            r#"{"alg": "ES256", "b64": "false"}"#,
        ] {
            assert_eq!(
                parsed(header),
                Err(InvalidToken::CriticalHeader),
                "{header}"
            );
        }
    }

    #[test]
    fn unsupported_algorithms_are_refused() {
        for header in [
            r#"{"alg": "none"}"#,
            r#"{"alg": "None"}"#,
            r#"{"alg": "RS512"}"#,
            r#"{"alg": ""}"#,
            "{}",
        ] {
            assert_eq!(
                parse(header, "{}"),
                Err(InvalidToken::Algorithm),
                "{header}"
            );
        }
    }

    #[test]
    fn malformed_tokens_are_unreadable() {
        for (header, payload) in [
            (r#"{"alg": ["ES256"]}"#, "{}"),
            (r#"{"alg": "ES256", "kid": 1}"#, "{}"),
            (r#"{"alg": "ES256", "typ": {}}"#, "{}"),
            (r#"{"alg": "ES256"}"#, "[]"),
            (r#"{"alg": "ES256"}"#, "{"),
            (r#"{"alg": "ES256"}"#, ""),
            ("[]", "{}"),
            ("", "{}"),
        ] {
            assert_eq!(parse(header, payload), Err(InvalidToken::Unreadable));
        }
        for token in [
            "",
            ".",
            "..",
            "a",
            "a.b",
            "a.b.c",
            "e30.e30.e30.e30",
            "e30.e30.=",
            "ü.ü.ü",
        ] {
            assert!(Compact::parse(token).is_err(), "{token}");
        }
    }
}

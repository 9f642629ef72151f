//! Tests of key sets: usable keys, skipped keys, and the choice of a key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm::{self, ES256, EdDSA, HS256, PS256, RS256};
use resource_runtime::authorization::InvalidToken;
use serde_json::{Value, json};

use super::KeySet;

fn of(keys: &[Value]) -> Result<KeySet, String> {
    KeySet::parse(json!({"keys": keys, "more": 1}).to_string().as_bytes())
}

/// `base` with changed members; null removes a member.
fn with(mut base: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        base[name] = value.clone();
    }
    base.as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    base
}

fn number(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn rsa() -> Value {
    json!({"kty": "RSA", "kid": "r", "n": number(&[0xff; 256]), "e": "AQAB"})
}

/// The generator of the curve (SEC 2, section 2.4.2).
fn p256() -> Value {
    let (x, y) = (
        "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
        "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
    );
    json!({"kty": "EC", "kid": "e", "crv": "P-256", "x": x, "y": y})
}

fn ed25519() -> Value {
    json!({"kty": "OKP", "kid": "o", "crv": "Ed25519", "x": number(&[1; 32])})
}

/// The error of a token with an empty signature: `Signature` if its key is found.
fn verify(keys: &KeySet, id: Option<&str>, algorithm: Algorithm) -> InvalidToken {
    keys.verify(id, algorithm, b"", &Vec::new()).unwrap_err()
}

#[test]
fn key_supports_the_algorithms_of_its_type() {
    let keys = of(&[rsa(), p256(), ed25519()]).unwrap();
    for (id, suitable) in [("r", &[RS256, PS256][..]), ("e", &[ES256]), ("o", &[EdDSA])] {
        for algorithm in [RS256, PS256, ES256, EdDSA, HS256] {
            let expected = if suitable.contains(&algorithm) {
                InvalidToken::Signature
            } else {
                InvalidToken::Algorithm
            };
            assert_eq!(verify(&keys, Some(id), algorithm), expected, "{id}");
        }
    }
    assert_eq!(verify(&keys, Some("x"), ES256), InvalidToken::UnknownKey);
}

#[test]
fn alg_restricts_a_key_to_one_algorithm() {
    let keys = of(&[with(rsa(), &json!({"alg": "PS256"}))]).unwrap();
    assert_eq!(verify(&keys, Some("r"), PS256), InvalidToken::Signature);
    assert_eq!(verify(&keys, Some("r"), RS256), InvalidToken::Algorithm);
}

#[test]
fn unusable_keys_are_skipped() {
    let useless = [
        json!({"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA", "kid": "u"}),
        json!({"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "kid": "u"}),
        json!("text"),
        json!(null),
        json!({}),
        with(rsa(), &json!({"use": "enc"})),
        with(rsa(), &json!({"use": 1})),
        with(rsa(), &json!({"key_ops": ["sign", "encrypt"]})),
        with(rsa(), &json!({"key_ops": "verify"})),
        with(rsa(), &json!({"alg": "RSA-OAEP"})),
        with(rsa(), &json!({"alg": "ES256"})),
        with(rsa(), &json!({"alg": "HS256"})),
        with(rsa(), &json!({"alg": "none"})),
        with(rsa(), &json!({"alg": null, "n": null})),
        with(rsa(), &json!({"n": number(&[0xff; 128])})),
        with(
            rsa(),
            &json!({"n": number(&[[0x7f].as_slice(), &[0xff; 255]].concat())}),
        ),
        with(rsa(), &json!({"n": number(&[0xff; 1025])})),
        with(rsa(), &json!({"n": ""})),
        with(rsa(), &json!({"n": "%"})),
        with(rsa(), &json!({"e": "AQ"})),
        with(rsa(), &json!({"e": "AA"})),
        with(rsa(), &json!({"e": "AQAA"})),
        with(rsa(), &json!({"e": ""})),
        with(p256(), &json!({"crv": "P-384"})),
        with(p256(), &json!({"crv": "secp256k1"})),
        with(p256(), &json!({"x": number(&[1; 31])})),
        with(p256(), &json!({"x": number(&[1; 32])})),
        with(
            p256(),
            &json!({"x": number(&[0; 32]), "y": number(&[0; 32])}),
        ),
        with(p256(), &json!({"y": number(&[1; 33])})),
        with(ed25519(), &json!({"crv": "Ed448"})),
        with(ed25519(), &json!({"crv": "X25519"})),
        with(ed25519(), &json!({"x": number(&[1; 31])})),
        with(ed25519(), &json!({"x": ""})),
    ];
    for key in &useless {
        assert!(of(std::slice::from_ref(key)).is_err(), "{key}");
    }
    let among = [&useless[..], &[p256()]].concat();
    let keys = of(&among).unwrap();
    assert_eq!(verify(&keys, Some("e"), ES256), InvalidToken::Signature);
}

#[test]
fn verification_keys_may_declare_their_use() {
    for members in [
        json!({"use": "sig"}),
        json!({"key_ops": ["verify", "sign"]}),
        json!({"n": number(&[[0].as_slice(), &[0xff; 256]].concat())}),
        json!({"n": format!("{}=", number(&[0xff; 256]))}),
    ] {
        assert!(of(&[with(rsa(), &members)]).is_ok(), "{members}");
    }
}

#[test]
fn token_without_key_id_needs_exactly_one_suitable_key() {
    let one = of(&[rsa(), p256()]).unwrap();
    assert_eq!(verify(&one, None, ES256), InvalidToken::Signature);
    assert_eq!(verify(&one, None, EdDSA), InvalidToken::UnknownKey);
    let two = of(&[p256(), with(p256(), &json!({"kid": "other"}))]).unwrap();
    assert_eq!(verify(&two, None, ES256), InvalidToken::UnknownKey);
}

#[test]
fn only_the_first_32_keys_are_used() {
    let keys: Vec<Value> = (0..40)
        .map(|number| with(ed25519(), &json!({"kid": number.to_string()})))
        .collect();
    let keys = of(&keys).unwrap();
    assert_eq!(verify(&keys, Some("31"), EdDSA), InvalidToken::Signature);
    assert_eq!(verify(&keys, Some("32"), EdDSA), InvalidToken::UnknownKey);
}

#[test]
fn invalid_key_sets_are_errors() {
    for document in [
        "",
        "<html>",
        "{}",
        "[]",
        r#"{"keys": {}}"#,
        r#"{"keys": []}"#,
    ] {
        assert!(KeySet::parse(document.as_bytes()).is_err(), "{document}");
    }
}

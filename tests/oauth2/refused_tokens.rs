//! Refused tokens, each for one reason.

use resource_oauth2::{Challenge, InvalidToken, Refusal, TokenProfile, TokenVerifier};
use resource_tests::block_on;
use serde_json::{Value, json};

use crate::issuer::{FakeIssuer, KEYS, verify};
use crate::signer::Signer;

/// An issuer with one key, and a verifier that trusts it.
fn issuer() -> (Signer, FakeIssuer, TokenVerifier) {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    (signer, issuer, verifier)
}

#[track_caller]
fn assert_refused(verifier: &TokenVerifier, token: &str, reason: InvalidToken) {
    let refusal = verify(verifier, token).unwrap_err();
    assert_eq!(refusal, Refusal::InvalidToken(reason));
    assert_eq!(
        (refusal.status().as_u16(), refusal.error_code()),
        (401, 12100)
    );
    let header = Challenge::new().header(&refusal).unwrap();
    assert_eq!(
        header,
        "Bearer error=\"invalid_token\", \
         error_description=\"token is invalid, expired or revoked\""
    );
}

#[test]
fn valid_token_is_accepted_with_each_algorithm() {
    let signers = [
        Signer::es256("e"),
        Signer::ed25519("o"),
        Signer::rs256("r"),
        Signer::ps256("p"),
    ];
    let issuer = FakeIssuer::publishing(&signers.each_ref());
    let verifier = issuer.verifier();
    for signer in &signers {
        let claims = verify(&verifier, &signer.sign(&issuer.claims())).unwrap();
        assert_eq!(claims.subject(), Some("ann"), "{}", signer.algorithm);
        assert_eq!(claims.client_id(), Some("app"));
        assert_eq!(claims.issuer(), issuer.name);
        assert!(claims.scopes().contains("settings.read"));
    }
}

#[test]
fn wrong_claims_are_refused() {
    let (signer, issuer, verifier) = issuer();
    let now = issuer.clock.seconds();
    for (changes, reason) in [
        (json!({"exp": now - 30}), InvalidToken::Expired),
        (json!({"exp": null}), InvalidToken::Claim("exp")),
        (
            json!({"exp": (now + 600).to_string()}),
            InvalidToken::Claim("exp"),
        ),
        (json!({"nbf": now + 31}), InvalidToken::NotYetValid),
        (json!({"nbf": "0"}), InvalidToken::Claim("nbf")),
        (json!({"iat": now + 31}), InvalidToken::IssuedInFuture),
        (
            json!({"iss": "https://other.example.com"}),
            InvalidToken::UntrustedIssuer,
        ),
        (
            json!({"iss": format!("{}/", issuer.name)}),
            InvalidToken::UntrustedIssuer,
        ),
        (json!({"iss": [issuer.name]}), InvalidToken::UntrustedIssuer),
        (json!({"iss": null}), InvalidToken::UntrustedIssuer),
        (
            json!({"aud": "https://other.example.com"}),
            InvalidToken::Claim("aud"),
        ),
        (json!({"aud": null}), InvalidToken::Claim("aud")),
        (json!({"sub": null}), InvalidToken::Claim("sub")),
        (json!({"client_id": null}), InvalidToken::Claim("client_id")),
        (json!({"jti": null}), InvalidToken::Claim("jti")),
    ] {
        println!("{changes}");
        let token = signer.sign(&issuer.claims_with(&changes));
        assert_refused(&verifier, &token, reason);
    }
}

#[test]
fn wrong_headers_are_refused() {
    let (signer, issuer, verifier) = issuer();
    for (changes, reason) in [
        (json!({"alg": "none"}), InvalidToken::Algorithm),
        (json!({"alg": "RS512"}), InvalidToken::Algorithm),
        (json!({"alg": "EdDSA"}), InvalidToken::Algorithm),
        (json!({"typ": "JWT"}), InvalidToken::Type),
        (json!({"typ": 1}), InvalidToken::Unreadable),
        (json!({"typ": "logout+jwt"}), InvalidToken::Type),
        (json!({"kid": "other"}), InvalidToken::UnknownKey),
        (json!({"kid": "../../keys"}), InvalidToken::UnknownKey),
        (json!({"kid": 1}), InvalidToken::Unreadable),
        (
            json!({"crit": ["b64"], "b64": false}),
            InvalidToken::CriticalHeader,
        ),
        (json!({"crit": []}), InvalidToken::CriticalHeader),
        (json!({"b64": false}), InvalidToken::CriticalHeader),
    ] {
        println!("{changes}");
        let mut header = signer.header();
        for (name, value) in changes.as_object().unwrap() {
            header[name] = value.clone();
        }
        let token = signer.sign_with(&header, &issuer.claims());
        assert_refused(&verifier, &token, reason);
    }
}

#[test]
fn altered_token_is_refused() {
    let (signer, issuer, verifier) = issuer();
    let good = signer.sign(&issuer.claims());
    let other = signer.sign(&issuer.claims_with(&json!({"sub": "bob"})));
    let [header, payload, signature] = parts(&good);
    let [_, payload_of_other, signature_of_other] = parts(&other);
    for token in [
        format!("{header}.{payload_of_other}.{signature}"),
        format!("{header}.{payload}.{signature_of_other}"),
        format!("{header}.{payload}."),
        format!("{header}.{payload}.{signature}A"),
        format!("{header}.{payload}.{}", &signature[4..]),
        format!("{header}.{payload}.{}", "A".repeat(signature.len())),
    ] {
        assert_refused(&verifier, &token, InvalidToken::Signature);
    }
    for token in [
        format!("{header}.{payload}"),
        format!("{header}.{payload}.{signature}."),
        format!("{header}.{payload}.{signature}.{signature}"),
        format!("{header}.{payload}.{signature}="),
        format!(".{payload}.{signature}"),
        format!("{header}..{signature}"),
        String::new(),
        String::from("..."),
    ] {
        assert_refused(&verifier, &token, InvalidToken::Unreadable);
    }
    assert!(verify(&verifier, &good).is_ok());
}

fn parts(token: &str) -> [&str; 3] {
    let parts: Vec<&str> = token.split('.').collect();
    parts.try_into().unwrap()
}

#[test]
fn oversized_token_is_refused_before_it_is_decoded() {
    let (signer, issuer, verifier) = issuer();
    let padded = |bytes| {
        let claims = issuer.claims_with(&json!({"padding": "x".repeat(bytes)}));
        signer.sign(&claims)
    };
    let (fits, too_long) = (padded(5500), padded(6000));
    assert!(fits.len() <= 8192 && too_long.len() > 8192);
    assert!(verify(&verifier, &fits).is_ok());
    assert_refused(&verifier, &too_long, InvalidToken::TooLong);
    assert_refused(&verifier, &"x".repeat(200_000), InvalidToken::TooLong);
}

#[test]
fn id_token_is_refused_in_the_lenient_profile_too() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let lenient = issuer.trusted().token_profile(TokenProfile::Lenient);
    let verifier = block_on(issuer.settings().issuer(lenient).build()).unwrap();
    let sign = |claims: &Value| {
        let header = json!({"typ": "JWT", "alg": "ES256", "kid": "first"});
        signer.sign_with(&header, claims)
    };
    assert!(verify(&verifier, &sign(&issuer.claims())).is_ok());
    for name in ["nonce", "at_hash", "c_hash"] {
        let token = sign(&issuer.claims_with(&json!({name: "x"})));
        assert_refused(&verifier, &token, InvalidToken::IdToken);
    }
}

#[test]
fn token_without_key_id_is_accepted_if_one_key_fits() {
    let (signer, issuer, verifier) = issuer();
    let header = json!({"typ": "at+jwt", "alg": "ES256"});
    let token = signer.sign_with(&header, &issuer.claims());
    assert!(verify(&verifier, &token).is_ok());
    // The keys are not fetched again.
    assert_eq!(issuer.asked(KEYS), 1);
}

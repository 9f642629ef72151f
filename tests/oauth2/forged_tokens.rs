//! Forged tokens: signed with a key that is not the issuer's, or with none.

use resource_oauth2::{Algorithm, InvalidToken, Refusal, TrustedIssuer};
use resource_tests::block_on;
use serde_json::{Value, json};

use crate::issuer::{AUDIENCE, FakeIssuer, KEYS, verify};
use crate::reply::Reply;
use crate::signer::{Signer, key_set, text};

fn refused(reason: InvalidToken) -> Refusal {
    Refusal::InvalidToken(reason)
}

#[test]
fn public_key_is_not_accepted_as_a_shared_secret() {
    let signer = Signer::rs256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    let public = signer.public();
    for secret in [
        public.to_string().into_bytes(),
        public["n"].as_str().unwrap().as_bytes().to_vec(),
        key_set(&[&signer]).to_string().into_bytes(),
        Vec::new(),
    ] {
        let forger = Signer::hs256("first", &secret);
        let token = forger.sign(&issuer.claims());
        let refusal = verify(&verifier, &token).unwrap_err();
        assert_eq!(refusal, refused(InvalidToken::Algorithm));
    }
}

#[test]
fn unsigned_token_is_refused_for_every_spelling_of_none() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    for algorithm in ["none", "None", "NONE", "nOnE", ""] {
        let header = json!({"typ": "at+jwt", "alg": algorithm, "kid": "first"}).to_string();
        let claims = issuer.claims().to_string();
        let token = format!("{}.{}.", text(header.as_bytes()), text(claims.as_bytes()));
        let refusal = verify(&verifier, &token).unwrap_err();
        assert_eq!(refusal, refused(InvalidToken::Algorithm));
    }
}

#[test]
fn embedded_or_referenced_key_is_neither_used_nor_fetched() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    let forger = Signer::es256("first");
    issuer.reply("/forged", Reply::json(&key_set(&[&forger])));
    let url = issuer.url("/forged");
    for members in [
        json!({"jwk": forger.public()}),
        json!({"jku": url}),
        json!({"x5u": url}),
        json!({"x5c": ["AAAA"]}),
        json!({"jwk": forger.public(), "kid": "foreign"}),
        json!({"jku": url, "kid": "foreign"}),
        json!({"jku": "not a url", "jwk": 1}),
    ] {
        let mut header = forger.header();
        for (name, value) in members.as_object().unwrap() {
            header[name] = value.clone();
        }
        let token = forger.sign_with(&header, &issuer.claims());
        assert!(verify(&verifier, &token).is_err(), "{members}");
    }
    assert_eq!(issuer.asked("/forged"), 0);
}

#[test]
fn keys_of_one_issuer_are_refused_for_another() {
    let (first, second) = (Signer::es256("same"), Signer::es256("same"));
    let (ours, partner) = (
        FakeIssuer::publishing(&[&first]),
        FakeIssuer::publishing(&[&second]),
    );
    let settings = ours
        .settings()
        .issuer(ours.trusted().subject_namespace("ours"))
        .issuer(partner.trusted().subject_namespace("partner"));
    let verifier = block_on(settings.build()).unwrap();
    let crossed = second.sign(&ours.claims());
    let refusal = verify(&verifier, &crossed).unwrap_err();
    assert_eq!(refusal, refused(InvalidToken::Signature));
    for (signer, issuer, subject) in [
        (&first, &ours, "ours:ann"),
        (&second, &partner, "partner:ann"),
    ] {
        let claims = verify(&verifier, &signer.sign(&issuer.claims())).unwrap();
        assert_eq!(claims.subject(), Some(subject));
    }
}

#[test]
fn disallowed_algorithm_is_refused_despite_a_valid_signature() {
    let (first, second) = (Signer::es256("e"), Signer::rs256("r"));
    let issuer = FakeIssuer::publishing(&[&first, &second]);
    let trusted = issuer.trusted().algorithms([Algorithm::Es256]);
    let verifier = block_on(issuer.settings().issuer(trusted).build()).unwrap();
    assert!(verify(&verifier, &first.sign(&issuer.claims())).is_ok());
    let refusal = verify(&verifier, &second.sign(&issuer.claims())).unwrap_err();
    assert_eq!(refusal, refused(InvalidToken::Algorithm));
}

#[test]
fn shared_secret_issuer_accepts_only_its_hmac() {
    let secret = [7; 32];
    let issuer = FakeIssuer::silent();
    let trusted = TrustedIssuer::with_shared_secret(&*issuer.name, secret).audience(AUDIENCE);
    let verifier = block_on(issuer.settings().issuer(trusted).build()).unwrap();
    let signer = Signer::hs256("any", &secret);
    assert!(verify(&verifier, &signer.sign(&issuer.claims())).is_ok());
    let other = Signer::hs256("any", &[8; 32]);
    let refusal = verify(&verifier, &other.sign(&issuer.claims())).unwrap_err();
    assert_eq!(refusal, refused(InvalidToken::Signature));
    let asymmetric = Signer::es256("any");
    let refusal = verify(&verifier, &asymmetric.sign(&issuer.claims())).unwrap_err();
    assert_eq!(refusal, refused(InvalidToken::Algorithm));
    assert_eq!(issuer.asked(KEYS), 0);
}

#[test]
fn unsupported_keys_of_a_key_set_are_ignored() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[]);
    let others: [Value; 4] = [
        json!({"kty": "RSA", "use": "enc", "alg": "RSA-OAEP", "kid": "first", "n": "AQAB", "e": "AQAB"}),
        json!({"kty": "AKP", "alg": "ML-DSA-65", "pub": "AAAA", "kid": "pq"}),
        json!({"kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "short"}),
        json!(7),
    ];
    let keys: Vec<Value> = others.into_iter().chain([signer.public()]).collect();
    issuer.reply(KEYS, Reply::json(&json!({"keys": keys})));
    let verifier = issuer.verifier();
    assert!(verify(&verifier, &signer.sign(&issuer.claims())).is_ok());
    let short = Signer::ed25519("short");
    assert!(verify(&verifier, &short.sign(&issuer.claims())).is_err());
}

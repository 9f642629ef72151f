//! The cache of verified tokens.

use std::sync::Arc;

use resource_oauth2::{InvalidToken, Refusal, TokenVerifier, TrustedIssuer};
use resource_tests::block_on;
use serde_json::json;

use crate::issuer::{AUDIENCE, FakeIssuer, verify};
use crate::signer::{Signer, key_set};

/// A verifier with the keys of this signer, which can be replaced.
fn with_keys(issuer: &FakeIssuer, signer: &Signer) -> TokenVerifier {
    let keys = key_set(&[signer]).to_string();
    let trusted = TrustedIssuer::with_keys(&*issuer.name, keys).audience(AUDIENCE);
    block_on(issuer.settings().issuer(trusted).build()).unwrap()
}

#[test]
fn valid_token_is_cached_for_a_minute() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::silent();
    let verifier = with_keys(&issuer, &signer);
    let token = signer.sign(&issuer.claims());
    let first = verify(&verifier, &token).unwrap();
    issuer.clock.advance(59);
    let again = verify(&verifier, &token).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    issuer.clock.advance(1);
    let anew = verify(&verifier, &token).unwrap();
    assert!(!Arc::ptr_eq(&first, &anew));
}

#[test]
fn token_is_not_cached_beyond_its_expiry() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::silent();
    let verifier = with_keys(&issuer, &signer);
    let end = issuer.clock.seconds() + 10;
    let token = signer.sign(&issuer.claims_with(&json!({"exp": end})));
    let first = verify(&verifier, &token).unwrap();
    issuer.clock.advance(10);
    // Within the leeway the token is valid, and verified each time.
    let again = verify(&verifier, &token).unwrap();
    assert!(!Arc::ptr_eq(&first, &again));
    issuer.clock.advance(30);
    let refusal = verify(&verifier, &token).unwrap_err();
    assert_eq!(refusal, Refusal::InvalidToken(InvalidToken::Expired));
}

#[test]
fn cache_is_cleared_on_demand_and_with_a_replaced_key() {
    let (signer, other) = (Signer::es256("first"), Signer::es256("first"));
    let issuer = FakeIssuer::silent();
    let verifier = with_keys(&issuer, &signer);
    let token = signer.sign(&issuer.claims());
    let first = verify(&verifier, &token).unwrap();
    verifier.forget_verified();
    let again = verify(&verifier, &token).unwrap();
    assert!(!Arc::ptr_eq(&first, &again));

    let keys = key_set(&[&other]).to_string();
    verifier.replace_keys(&issuer.name, &keys).unwrap();
    let refusal = verify(&verifier, &token).unwrap_err();
    assert_eq!(refusal, Refusal::InvalidToken(InvalidToken::Signature));
}

#[test]
fn invalid_token_is_not_cached() {
    let (signer, other) = (Signer::es256("first"), Signer::es256("first"));
    let issuer = FakeIssuer::silent();
    let verifier = with_keys(&issuer, &signer);
    let token = other.sign(&issuer.claims());
    assert!(verify(&verifier, &token).is_err());
    let keys = key_set(&[&other]).to_string();
    verifier.replace_keys(&issuer.name, &keys).unwrap();
    assert!(verify(&verifier, &token).is_ok());
}

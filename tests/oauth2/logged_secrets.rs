//! Tokens, client secrets and keys: never in the log, at any level.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use resource_oauth2::{Introspection, TrustedIssuer};
use resource_tests::{block_on, watch};
use serde_json::json;

use crate::issuer::{AUDIENCE, FakeIssuer, verify};
use crate::reply::Reply;
use crate::signer::{Signer, text};

#[test]
fn tokens_and_secrets_are_neither_logged_nor_shown_by_debug() {
    let log = watch::keep();
    let secret = "the-secret-of-the-client-of-this-test";
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let introspection = Introspection::new(&*issuer.name, issuer.url("/introspect"))
        .client("id", secret)
        .audience(AUDIENCE);
    let settings = issuer.settings().issuer(issuer.trusted());
    let settings = settings.introspection(introspection);
    let mut shown = vec![format!("{settings:?}")];
    let verifier = block_on(settings.build()).unwrap();

    let good = signer.sign(&issuer.claims());
    let expired = signer.sign(&issuer.claims_with(&json!({"exp": 1})));
    let foreign = Signer::es256("foreign").sign(&issuer.claims());
    let opaque = "an-opaque-token-of-this-test".to_owned();
    let unreadable = format!("{}.x.y", text(b"unreadable token of this test"));
    let tokens = [good, expired, foreign, opaque.clone(), unreadable];
    for reply in [
        Reply::json(&issuer.claims_with(&json!({"active": true}))),
        Reply::json(&json!({"active": false})),
        Reply::json(&json!([opaque])),
        Reply::status(500),
    ] {
        issuer.reply("/introspect", reply);
        verifier.forget_verified();
        issuer.clock.advance(30);
        for token in &tokens {
            shown.push(format!("{:?}", verify(&verifier, token)));
        }
    }
    let shared = TrustedIssuer::with_shared_secret(&*issuer.name, secret);
    shown.push(format!("{verifier:?} {shared:?}"));

    let log = log.text();
    // The log has the lines in which a secret could be.
    assert!(log.contains("an access token was refused"));
    assert!(log.contains("an issuer could not be asked about a token"));
    let credentials = STANDARD.encode(format!("id:{secret}"));
    for text in [log, shown.concat()] {
        for token in &tokens {
            let longest = token.split('.').max_by_key(|part| part.len()).unwrap();
            assert!(!text.contains(longest), "a token is shown");
        }
        assert!(!text.contains(secret) && !text.contains(&credentials));
    }
}

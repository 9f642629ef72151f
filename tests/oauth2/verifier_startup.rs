//! Start of a verifier while its issuer is unavailable.

use resource_oauth2::{Challenge, Refusal};
use resource_tests::block_on;

use crate::concurrency::run_together;
use crate::issuer::{FakeIssuer, KEYS, OAUTH, verify};
use crate::reply::{Gate, Reply};
use crate::signer::Signer;

#[test]
fn verifier_without_keys_does_not_start() {
    let issuer = FakeIssuer::silent();
    let settings = issuer.settings().issuer(issuer.trusted());
    let error = block_on(settings.build()).unwrap_err().to_string();
    assert!(error.contains("404"), "{error}");
}

#[test]
fn lazy_verifier_is_503_with_growing_backoff_until_it_has_keys() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::silent();
    let settings = issuer.settings().issuer(issuer.trusted()).lazy();
    let verifier = block_on(settings.build()).unwrap();
    assert_eq!(issuer.asked(OAUTH), 0);
    let token = signer.sign(&issuer.claims());
    for (pause, asked) in [(0, 1), (0, 1), (1, 2), (1, 2), (1, 3), (3, 3), (1, 4)] {
        issuer.clock.advance(pause);
        let refusal = verify(&verifier, &token).unwrap_err();
        assert_eq!(refusal, Refusal::Unavailable);
        assert_eq!(
            (refusal.status().as_u16(), refusal.error_code()),
            (503, 10090)
        );
        assert!(Challenge::new().header(&refusal).is_none());
        assert_eq!(issuer.asked(OAUTH), asked);
    }
    issuer.reply(OAUTH, Reply::json(&issuer.document()));
    issuer.publish(&[&signer]);
    assert_eq!(verify(&verifier, &token), Err(Refusal::Unavailable));
    issuer.clock.advance(8);
    assert!(verify(&verifier, &token).is_ok());
}

#[test]
fn concurrent_first_requests_fetch_keys_once() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let gate = Gate::closed();
    issuer.reply(OAUTH, Reply::json(&issuer.document()).behind(&gate));
    let settings = issuer.settings().issuer(issuer.trusted()).lazy();
    let verifier = block_on(settings.build()).unwrap();
    let tokens: Vec<String> = (0..20).map(|_| signer.sign(&issuer.claims())).collect();
    let requests = tokens.iter().map(|token| verifier.verify(token)).collect();
    for verified in run_together(requests, || gate.open()) {
        assert!(verified.is_ok());
    }
    assert_eq!((issuer.asked(OAUTH), issuer.asked(KEYS)), (1, 1));
}

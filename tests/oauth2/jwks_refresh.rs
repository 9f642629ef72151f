//! Refresh of an issuer's keys: new, expired and unavailable ones.

use axum::http::header;
use resource_oauth2::{InvalidToken, Refusal, TokenVerifier};
use resource_tests::polling::wait_for;

use crate::concurrency::run_together;
use crate::issuer::{FakeIssuer, KEYS, verify};
use crate::reply::{Gate, Reply};
use crate::signer::{Signer, key_set};

/// Lifetime of the keys by `Cache-Control` of the issuer, in seconds; the refresh begins up to a tenth sooner.
const LIFETIME: u64 = 600;
const DAY: u64 = 24 * 60 * 60;
const UNKNOWN: Refusal = Refusal::InvalidToken(InvalidToken::UnknownKey);

struct Renewing {
    old: Signer,
    new: Signer,
    issuer: FakeIssuer,
    verifier: TokenVerifier,
}

/// An issuer that is about to change its keys.
fn renewing() -> Renewing {
    let (old, new) = (Signer::es256("old"), Signer::es256("new"));
    let issuer = FakeIssuer::publishing(&[]);
    publish(&issuer, &[&old]);
    let verifier = issuer.verifier();
    Renewing {
        old,
        new,
        issuer,
        verifier,
    }
}

fn publish(issuer: &FakeIssuer, signers: &[&Signer]) {
    let freshness = format!("max-age={LIFETIME}");
    let reply = Reply::json(&key_set(signers)).with(header::CACHE_CONTROL, &freshness);
    issuer.reply(KEYS, reply);
}

impl Renewing {
    fn verify(&self, signer: &Signer) -> Result<(), Refusal> {
        verify(&self.verifier, &signer.sign(&self.issuer.claims())).map(drop)
    }
}

#[test]
fn unknown_key_id_triggers_a_refresh() {
    let it = renewing();
    publish(&it.issuer, &[&it.old, &it.new]);
    it.issuer.clock.advance(30);
    assert_eq!(it.verify(&it.new), Ok(()));
    assert_eq!(it.issuer.asked(KEYS), 2);
}

#[test]
fn unknown_key_ids_refresh_once_in_30_seconds() {
    let it = renewing();
    it.issuer.clock.advance(30);
    for number in 0..50 {
        let stranger = Signer::ed25519(&number.to_string());
        assert_eq!(it.verify(&stranger), Err(UNKNOWN));
    }
    assert_eq!(it.issuer.asked(KEYS), 2);
    it.issuer.clock.advance(29);
    assert_eq!(it.verify(&it.new), Err(UNKNOWN));
    assert_eq!(it.issuer.asked(KEYS), 2);
    publish(&it.issuer, &[&it.new]);
    it.issuer.clock.advance(1);
    assert_eq!(it.verify(&it.new), Ok(()));
    assert_eq!(it.issuer.asked(KEYS), 3);
}

#[test]
fn concurrent_requests_with_a_new_key_refresh_once() {
    let it = renewing();
    let gate = Gate::closed();
    let reply = Reply::json(&key_set(&[&it.new])).behind(&gate);
    it.issuer.reply(KEYS, reply);
    it.issuer.clock.advance(30);
    let tokens: Vec<String> = (0..20).map(|_| it.new.sign(&it.issuer.claims())).collect();
    let requests = tokens.iter().map(|token| it.verifier.verify(token));
    for verified in run_together(requests.collect(), || gate.open()) {
        assert!(verified.is_ok());
    }
    assert_eq!(it.issuer.asked(KEYS), 2);
}

#[test]
fn disconnected_client_does_not_cancel_the_refresh() {
    let it = renewing();
    let gate = Gate::closed();
    let reply = Reply::json(&key_set(&[&it.new])).behind(&gate);
    it.issuer.reply(KEYS, reply);
    it.issuer.clock.advance(30);
    let token = it.new.sign(&it.issuer.claims());
    let mut request = Box::pin(it.verifier.verify(&token));
    resource_tests::block_on(async {
        std::future::poll_fn(|context| {
            assert!(request.as_mut().poll(context).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
    });
    wait_for("the question", || {
        (it.issuer.asked(KEYS) == 2).then_some(())
    });
    drop(request);
    gate.open();
    wait_for("the new key", || it.verify(&it.new).ok());
    assert_eq!(it.issuer.asked(KEYS), 2);
}

#[test]
fn expiring_keys_are_refreshed_in_the_background() {
    let it = renewing();
    it.issuer.clock.advance(LIFETIME * 9 / 10 - 1);
    assert_eq!(it.verify(&it.old), Ok(()));
    assert_eq!(it.issuer.asked(KEYS), 1);
    let gate = Gate::closed();
    let reply = Reply::json(&key_set(&[&it.new])).behind(&gate);
    it.issuer.reply(KEYS, reply);
    // A request that ends while the issuer's response is held back has not waited for it.
    it.issuer.clock.advance(LIFETIME / 10 + 1);
    assert_eq!(it.verify(&it.old), Ok(()));
    wait_for("the question", || {
        (it.issuer.asked(KEYS) == 2).then_some(())
    });
    assert_eq!(it.verify(&it.old), Ok(()));
    gate.open();
    wait_for("the end of the old key", || it.verify(&it.old).err());
    assert_eq!(it.issuer.asked(KEYS), 2);
}

#[test]
fn long_expired_keys_are_refreshed_before_use() {
    let it = renewing();
    publish(&it.issuer, &[&it.new]);
    it.issuer.clock.advance(2 * LIFETIME);
    assert_eq!(it.verify(&it.old), Err(UNKNOWN));
    assert_eq!(it.verify(&it.new), Ok(()));
    assert_eq!(it.issuer.asked(KEYS), 2);
}

#[test]
fn expired_keys_are_used_for_a_day_and_then_503() {
    for broken in [
        Reply::status(500),
        Reply::html(),
        Reply::json(&key_set(&[])),
    ] {
        let it = renewing();
        it.issuer.reply(KEYS, broken);
        it.issuer.clock.advance(DAY + LIFETIME * 9 / 10 - 1);
        assert_eq!(it.verify(&it.old), Ok(()));
        it.issuer.clock.advance(LIFETIME / 10 + 1);
        assert_eq!(it.verify(&it.old), Err(Refusal::Unavailable));
        publish(&it.issuer, &[&it.old]);
        it.issuer.clock.advance(30);
        assert_eq!(it.verify(&it.old), Ok(()));
    }
}

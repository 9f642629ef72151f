//! Opaque tokens, verified by introspection at their issuer.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use resource_oauth2::{Introspection, InvalidToken, Refusal, TokenVerifier};
use resource_tests::polling::wait_for;
use resource_tests::{block_on, watch};
use serde_json::{Value, json};

use crate::concurrency::run_together;
use crate::issuer::{AUDIENCE, FakeIssuer, verify};
use crate::reply::{Gate, Reply};
use crate::signer::Signer;

const ASK: &str = "/introspect";
const INACTIVE: Refusal = Refusal::InvalidToken(InvalidToken::Inactive);

fn introspection(issuer: &FakeIssuer) -> Introspection {
    Introspection::new(&*issuer.name, issuer.url(ASK))
        .client("settings api", "s3cret/+")
        .audience(AUDIENCE)
}

/// An issuer that reports every token as active, and a verifier that introspects there.
fn introspecting() -> (FakeIssuer, TokenVerifier) {
    let issuer = FakeIssuer::silent();
    issuer.reply(ASK, active(&issuer));
    let verifier = introspecting_at(&issuer);
    (issuer, verifier)
}

fn introspecting_at(issuer: &FakeIssuer) -> TokenVerifier {
    let settings = issuer.settings().introspection(introspection(issuer));
    block_on(settings.build()).unwrap()
}

fn active(issuer: &FakeIssuer) -> Reply {
    Reply::json(&issuer.claims_with(&json!({"active": true})))
}

fn inactive() -> Reply {
    Reply::json(&json!({"active": false}))
}

#[test]
fn introspection_is_a_form_with_client_credentials() {
    let (issuer, verifier) = introspecting();
    let claims = verify(&verifier, "opaque+token/=").unwrap();
    assert_eq!(claims.subject(), Some("ann"));
    assert!(claims.scopes().contains("settings.read"));
    let [question] = issuer.questions(ASK).try_into().unwrap();
    let form = "token=opaque%2Btoken%2F%3D&token_type_hint=access_token";
    assert_eq!(question.body, form);
    assert_eq!(
        question.headers["content-type"],
        "application/x-www-form-urlencoded"
    );
    let credentials = STANDARD.encode("settings%20api:s3cret%2F%2B");
    assert_eq!(
        question.headers["authorization"],
        format!("Basic {credentials}")
    );
}

#[test]
fn active_token_is_cached_for_30_seconds_or_until_it_expires() {
    let (issuer, verifier) = introspecting();
    let first = verify(&verifier, "token").unwrap();
    issuer.clock.advance(29);
    assert!(Arc::ptr_eq(&first, &verify(&verifier, "token").unwrap()));
    assert_eq!(issuer.asked(ASK), 1);
    issuer.clock.advance(1);
    issuer.reply(ASK, inactive());
    assert_eq!(verify(&verifier, "token").unwrap_err(), INACTIVE);
    assert_eq!(issuer.asked(ASK), 2);

    let end = issuer.clock.seconds() + 10;
    let ending = issuer.claims_with(&json!({"active": true, "exp": end}));
    issuer.reply(ASK, Reply::json(&ending));
    assert!(verify(&verifier, "ending").is_ok());
    issuer.clock.advance(10);
    assert!(verify(&verifier, "ending").is_ok());
    assert_eq!(issuer.asked(ASK), 4);
}

#[test]
fn inactive_token_is_cached_for_5_seconds() {
    let (issuer, verifier) = introspecting();
    issuer.reply(ASK, inactive());
    for (pause, asked) in [(0, 1), (0, 1), (4, 1), (1, 2)] {
        issuer.clock.advance(pause);
        assert_eq!(verify(&verifier, "token").unwrap_err(), INACTIVE);
        assert_eq!(issuer.asked(ASK), asked);
    }
}

#[test]
fn forget_verified_drops_cached_tokens() {
    let (issuer, verifier) = introspecting();
    assert!(verify(&verifier, "token").is_ok());
    issuer.reply(ASK, inactive());
    verifier.forget_verified();
    assert_eq!(verify(&verifier, "token").unwrap_err(), INACTIVE);
}

#[test]
fn concurrent_requests_with_one_token_introspect_once() {
    let (issuer, verifier) = introspecting();
    for reply in [active(&issuer), inactive()] {
        verifier.forget_verified();
        issuer.clock.advance(60);
        let gate = Gate::closed();
        issuer.reply(ASK, reply.behind(&gate));
        let before = issuer.asked(ASK);
        let requests = (0..20).map(|_| verifier.verify("token")).collect();
        let answers = run_together(requests, || gate.open());
        assert!(
            answers
                .iter()
                .all(|answer| answer.is_ok() == answers[0].is_ok())
        );
        assert_eq!(issuer.asked(ASK), before + 1);
    }
}

#[test]
fn failing_issuer_is_backed_off_from_with_503() {
    let (issuer, verifier) = introspecting();
    issuer.reply(ASK, Reply::status(500));
    for number in 0..10 {
        let token = format!("token{number}");
        assert_eq!(verify(&verifier, &token), Err(Refusal::Unavailable));
    }
    assert_eq!(issuer.asked(ASK), 3);
    issuer.reply(ASK, active(&issuer));
    issuer.clock.advance(1);
    assert!(verify(&verifier, "token0").is_ok());
    assert!(verify(&verifier, "token1").is_ok());
}

#[test]
fn malformed_introspection_response_is_503() {
    let issuer = FakeIssuer::silent();
    let never = Gate::closed();
    for reply in [
        Reply::html(),
        Reply::redirect(&issuer.url("/elsewhere")),
        Reply::json(&json!([{"active": true}])),
        active(&issuer).padded(256 * 1024),
        active(&issuer).behind(&never),
    ] {
        issuer.reply(ASK, reply);
        issuer.reply("/elsewhere", active(&issuer));
        let settings = issuer.settings().introspection(introspection(&issuer));
        let settings = settings.timeout(Duration::from_millis(500));
        let verifier = block_on(settings.build()).unwrap();
        assert_eq!(verify(&verifier, "token"), Err(Refusal::Unavailable));
    }
    assert_eq!(issuer.asked("/elsewhere"), 0);
}

#[test]
fn signed_token_of_a_trusted_issuer_is_not_introspected() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    issuer.reply(ASK, active(&issuer));
    let settings = issuer.settings().issuer(issuer.trusted());
    let settings = settings.introspection(introspection(&issuer));
    let verifier = block_on(settings.build()).unwrap();
    assert!(verify(&verifier, &signer.sign(&issuer.claims())).is_ok());
    let expired: Value = issuer.claims_with(&json!({"exp": 1}));
    assert!(verify(&verifier, &signer.sign(&expired)).is_err());
    assert_eq!(issuer.asked(ASK), 0);
    assert!(verify(&verifier, "opaque").is_ok());
    assert_eq!(issuer.asked(ASK), 1);
}

#[test]
fn token_that_the_issuer_refuses_to_read_is_inactive() {
    let (issuer, verifier) = introspecting();
    let refused = |error: &str| Reply::json(&json!({"error": error})).with_status(400);
    let about_token = [
        Reply::status(400),
        refused("invalid_request"),
        Reply::status(413),
        Reply::status(414),
        Reply::status(422),
    ];
    for (kind, reply) in about_token.into_iter().enumerate() {
        issuer.reply(ASK, reply);
        for number in 0..5 {
            let token = format!("junk-{kind}-{number}");
            assert_eq!(verify(&verifier, &token).unwrap_err(), INACTIVE);
            assert_eq!(verify(&verifier, &token).unwrap_err(), INACTIVE);
        }
    }
    assert_eq!(issuer.asked(ASK), 25, "each is introspected once");
    issuer.reply(ASK, active(&issuer));
    assert!(verify(&verifier, "good").is_ok());
}

#[test]
fn refused_credentials_of_the_verifier_are_503() {
    let log = watch::keep();
    let issuer = FakeIssuer::silent();
    let misconfigured = [401, 403, 404, 405, 408, 410, 415, 429, 500, 503].map(Reply::status);
    let unknown_here = ["invalid_client", "unauthorized_client"]
        .map(|error| Reply::json(&json!({"error": error})).with_status(400));
    for reply in misconfigured.into_iter().chain(unknown_here) {
        issuer.reply(ASK, reply.clone());
        let verifier = introspecting_at(&issuer);
        assert_eq!(verify(&verifier, "token"), Err(Refusal::Unavailable));
        let told = format!("{}`: it answered {}", issuer.url(ASK), reply.status);
        assert!(log.text().contains(&told), "{told}");
        issuer.reply(ASK, active(&issuer));
        assert!(
            verify(&verifier, "token").is_ok(),
            "the failure is not cached"
        );
    }
}

#[test]
fn oversized_opaque_token_is_not_introspected() {
    let (issuer, verifier) = introspecting();
    let longest = "a".repeat(2048);
    assert!(verify(&verifier, &longest).is_ok());
    let error = verify(&verifier, &format!("{longest}a")).unwrap_err();
    assert_eq!(error, Refusal::InvalidToken(InvalidToken::TooLong));
    assert_eq!(issuer.asked(ASK), 1);
}

#[test]
fn one_request_probes_the_issuer_after_the_backoff() {
    let (issuer, verifier) = introspecting();
    issuer.reply(ASK, Reply::status(500));
    for number in 0..3 {
        let token = format!("token{number}");
        assert_eq!(verify(&verifier, &token), Err(Refusal::Unavailable));
    }
    issuer.clock.advance(1);
    let gate = Gate::closed();
    issuer.reply(ASK, active(&issuer).behind(&gate));
    thread::scope(|scope| {
        let first = scope.spawn(|| verify(&verifier, "first"));
        wait_for("the question", || (issuer.asked(ASK) == 4).then_some(()));
        let others = ["a", "b", "c"].map(|token| verify(&verifier, token));
        assert!(others.iter().all(|it| *it == Err(Refusal::Unavailable)));
        gate.open();
        assert!(first.join().unwrap().is_ok());
    });
    assert_eq!(issuer.asked(ASK), 4);
    assert!(verify(&verifier, "a").is_ok());
}

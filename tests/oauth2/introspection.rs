//! Opaque tokens: their issuer is asked what they are.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use resource_oauth2::{Introspection, InvalidToken, Refusal, TokenVerifier};
use resource_tests::patience::wait_for;
use resource_tests::{block_on, watch};
use serde_json::{Value, json};

use crate::concurrency::together;
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

/// An issuer that calls every token active, and a verifier that asks it.
fn asking() -> (FakeIssuer, TokenVerifier) {
    let issuer = FakeIssuer::silent();
    issuer.reply(ASK, active(&issuer));
    let verifier = asking_of(&issuer);
    (issuer, verifier)
}

fn asking_of(issuer: &FakeIssuer) -> TokenVerifier {
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
fn the_issuer_is_asked_by_form_with_our_credentials_and_its_word_counts() {
    let (issuer, verifier) = asking();
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
fn a_valid_token_is_asked_about_every_30_seconds_and_at_its_end() {
    let (issuer, verifier) = asking();
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
fn an_invalid_token_is_asked_about_every_5_seconds() {
    let (issuer, verifier) = asking();
    issuer.reply(ASK, inactive());
    for (pause, asked) in [(0, 1), (0, 1), (4, 1), (1, 2)] {
        issuer.clock.advance(pause);
        assert_eq!(verify(&verifier, "token").unwrap_err(), INACTIVE);
        assert_eq!(issuer.asked(ASK), asked);
    }
}

#[test]
fn a_revocation_counts_at_once_where_the_verifier_is_told() {
    let (issuer, verifier) = asking();
    assert!(verify(&verifier, "token").is_ok());
    issuer.reply(ASK, inactive());
    verifier.forget_verified();
    assert_eq!(verify(&verifier, "token").unwrap_err(), INACTIVE);
}

#[test]
fn requests_with_one_token_together_ask_once() {
    let (issuer, verifier) = asking();
    for reply in [active(&issuer), inactive()] {
        verifier.forget_verified();
        issuer.clock.advance(60);
        let gate = Gate::closed();
        issuer.reply(ASK, reply.behind(&gate));
        let before = issuer.asked(ASK);
        let requests = (0..20).map(|_| verifier.verify("token")).collect();
        let answers = together(requests, || gate.open());
        assert!(
            answers
                .iter()
                .all(|answer| answer.is_ok() == answers[0].is_ok())
        );
        assert_eq!(issuer.asked(ASK), before + 1);
    }
}

#[test]
fn an_issuer_that_fails_is_left_alone_and_nobody_gets_through_meanwhile() {
    let (issuer, verifier) = asking();
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
fn an_answer_that_is_none_lets_nobody_through() {
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
fn a_signed_token_is_verified_here_where_its_issuer_is_trusted() {
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
fn what_the_issuer_refuses_to_look_at_is_not_active() {
    let (issuer, verifier) = asking();
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
    assert_eq!(issuer.asked(ASK), 25, "each is asked about once");
    issuer.reply(ASK, active(&issuer));
    assert!(verify(&verifier, "good").is_ok());
}

#[test]
fn what_the_issuer_refuses_for_our_sake_says_nothing_of_the_token() {
    let log = watch::keep();
    let issuer = FakeIssuer::silent();
    let misconfigured = [401, 403, 404, 405, 408, 410, 415, 429, 500, 503].map(Reply::status);
    let unknown_here = ["invalid_client", "unauthorized_client"]
        .map(|error| Reply::json(&json!({"error": error})).with_status(400));
    for reply in misconfigured.into_iter().chain(unknown_here) {
        issuer.reply(ASK, reply.clone());
        let verifier = asking_of(&issuer);
        assert_eq!(verify(&verifier, "token"), Err(Refusal::Unavailable));
        let told = format!("{}`: it answered {}", issuer.url(ASK), reply.status);
        assert!(log.text().contains(&told), "{told}");
        issuer.reply(ASK, active(&issuer));
        assert!(verify(&verifier, "token").is_ok(), "nothing is remembered");
    }
}

#[test]
fn nobody_is_asked_about_an_opaque_token_that_is_too_long() {
    let (issuer, verifier) = asking();
    let longest = "a".repeat(2048);
    assert!(verify(&verifier, &longest).is_ok());
    let error = verify(&verifier, &format!("{longest}a")).unwrap_err();
    assert_eq!(error, Refusal::InvalidToken(InvalidToken::TooLong));
    assert_eq!(issuer.asked(ASK), 1);
}

#[test]
fn after_a_pause_one_question_tries_whether_the_issuer_is_back() {
    let (issuer, verifier) = asking();
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

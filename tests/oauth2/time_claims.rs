//! Times in tokens: a claim that no calendar has a date for is none.

use std::time::{Duration, UNIX_EPOCH};

use resource_oauth2::{Introspection, InvalidToken, Refusal};
use resource_tests::block_on;
use serde_json::{Value, json};

use crate::issuer::{AUDIENCE, FakeIssuer, verify};
use crate::reply::Reply;
use crate::signer::Signer;

/// The end of the year 9999, which is the last that RFC 3339 can write.
const LAST: i64 = 253_402_300_799;

const ASK: &str = "/introspect";

/// Times that are none: huge, before 1970, or in milliseconds.
fn no_times() -> Vec<Value> {
    vec![
        json!(1e300),
        json!(-1e300),
        json!(f64::MAX),
        json!(1e19),
        json!(u64::MAX),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(-1),
        json!(-0.5),
        json!(1_800_000_000_000_i64),
        json!(LAST + 1),
        json!(253_402_300_800.5),
    ]
}

#[test]
fn a_signed_claim_that_is_no_time_is_refused() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    for name in ["exp", "nbf", "iat"] {
        for value in no_times() {
            let token = signer.sign(&issuer.claims_with(&json!({name: value})));
            let refused = Err(Refusal::InvalidToken(InvalidToken::Claim(name)));
            assert_eq!(verify(&verifier, &token), refused, "{name} {value}");
        }
        // What JSON has no number for is no claim at all.
        for value in ["1e400", "-1e400", "NaN", "Infinity"] {
            let claims = issuer.claims_with(&json!({name: "the time"})).to_string();
            let claims = claims.replace("\"the time\"", value);
            let token = signer.sign_parts(&signer.header().to_string(), &claims);
            let refused = Err(Refusal::InvalidToken(InvalidToken::Unreadable));
            assert_eq!(verify(&verifier, &token), refused, "{name} {value}");
        }
    }
}

#[test]
fn a_time_may_have_a_fraction_and_be_far_away() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    let now = issuer.clock.seconds();
    let token = signer.sign(&issuer.claims_with(&json!({"exp": LAST, "nbf": 0, "iat": 0.25})));
    let claims = verify(&verifier, &token).unwrap();
    let last = UNIX_EPOCH + Duration::from_secs(LAST.unsigned_abs());
    assert_eq!(claims.expires_at(), last);
    let soon = f64::from(u32::try_from(now).unwrap()) + 60.5;
    let token = signer.sign(&issuer.claims_with(&json!({"exp": soon})));
    let claims = verify(&verifier, &token).unwrap();
    let soon = UNIX_EPOCH + Duration::from_secs(now.unsigned_abs() + 60);
    assert_eq!(claims.expires_at(), soon);
}

#[test]
fn an_introspected_time_that_is_none_makes_the_token_invalid() {
    let issuer = FakeIssuer::silent();
    let introspection = Introspection::new(&*issuer.name, issuer.url(ASK));
    let introspection = introspection.client("api", "secret").audience(AUDIENCE);
    let settings = issuer.settings().introspection(introspection);
    let verifier = block_on(settings.build()).unwrap();
    for name in ["exp", "nbf", "iat"] {
        for value in no_times() {
            let answer = issuer.claims_with(&json!({"active": true, name: value}));
            issuer.reply(ASK, Reply::json(&answer));
            let token = format!("{name} {value}");
            let refused = Err(Refusal::InvalidToken(InvalidToken::Claim(name)));
            assert_eq!(verify(&verifier, &token), refused, "{token}");
        }
    }
    let last = issuer.claims_with(&json!({"active": true, "exp": LAST, "nbf": 0}));
    issuer.reply(ASK, Reply::json(&last));
    assert!(verify(&verifier, "the last").is_ok());
}

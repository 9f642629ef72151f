//! Time claims: values outside of the calendar are refused.

use std::time::{Duration, UNIX_EPOCH};

use resource_oauth2::{Introspection, InvalidToken, Refusal};
use resource_tests::block_on;
use serde_json::{Value, json};

use crate::issuer::{AUDIENCE, FakeIssuer, verify};
use crate::reply::Reply;
use crate::signer::Signer;

/// The end of the year 9999, the last one of RFC 3339.
const LAST: i64 = 253_402_300_799;

const ASK: &str = "/introspect";

/// Invalid times: huge, before 1970, or in milliseconds.
fn invalid_times() -> Vec<Value> {
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
fn invalid_time_claims_are_refused() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let verifier = issuer.verifier();
    for name in ["exp", "nbf", "iat"] {
        for value in invalid_times() {
            let token = signer.sign(&issuer.claims_with(&json!({name: value})));
            let refused = Err(Refusal::InvalidToken(InvalidToken::Claim(name)));
            assert_eq!(verify(&verifier, &token), refused, "{name} {value}");
        }
        // Values that are no JSON numbers make the claims unreadable.
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
fn fractional_and_distant_times_are_accepted() {
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
fn invalid_introspected_times_are_refused() {
    let issuer = FakeIssuer::silent();
    let introspection = Introspection::new(&*issuer.name, issuer.url(ASK));
    let introspection = introspection.client("api", "secret").audience(AUDIENCE);
    let settings = issuer.settings().introspection(introspection);
    let verifier = block_on(settings.build()).unwrap();
    for name in ["exp", "nbf", "iat"] {
        for value in invalid_times() {
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

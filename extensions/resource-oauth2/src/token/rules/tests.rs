//! Tests of the rules for claims.

use resource_runtime::authorization::ClaimPath;
use resource_runtime::authorization::InvalidToken::{
    self, Claim, Expired, IdToken, IssuedInFuture, NotYetValid, Type,
};
use serde_json::{Map, Value, json};

use super::TokenProfile::{self, Lenient, Strict};
use super::{Requirement, Rules};

const NOW: i64 = 1_700_000_000;

/// The end of the year 9999.
const LAST: i64 = 253_402_300_799;

fn rules(profile: TokenProfile) -> Rules {
    Rules {
        audience: String::from("us"),
        profile,
        requirement: None,
        leeway: 30,
    }
}

/// Valid claims with changes; null removes a claim.
fn claims(changes: &Value) -> Map<String, Value> {
    let mut claims = json!({
        "iss": "issuer", "aud": "us", "sub": "ann", "client_id": "app", "jti": "1",
        "iat": NOW - 60, "exp": NOW + 60,
    });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    let claims = claims.as_object().unwrap().clone();
    claims
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect()
}

fn check(profile: TokenProfile, changes: &Value) -> Result<i64, InvalidToken> {
    rules(profile).check(&claims(changes), NOW)
}

fn strict(changes: &Value) -> Result<i64, InvalidToken> {
    check(Strict, changes)
}

#[test]
fn valid_claims_are_accepted_until_they_expire() {
    assert_eq!(strict(&json!({})), Ok(NOW + 60));
    assert_eq!(strict(&json!({"exp": NOW - 29})), Ok(NOW - 29));
    assert_eq!(strict(&json!({"exp": NOW - 30})), Err(Expired));
    assert_eq!(strict(&json!({"exp": 1_700_000_000.5})), Ok(NOW));
    assert_eq!(strict(&json!({"exp": 0})), Err(Expired));
    assert_eq!(strict(&json!({"exp": LAST})), Ok(LAST));
}

#[test]
fn times_are_numbers_within_the_calendar() {
    for name in ["exp", "nbf", "iat"] {
        for value in [
            json!("1700000060"),
            json!(true),
            json!([NOW]),
            json!({}),
            json!(LAST + 1),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(1e300),
            json!(-1e300),
            json!(i64::MIN),
            json!(-1),
            json!(-0.5),
        ] {
            let found = strict(&json!({name: value}));
            assert_eq!(found, Err(Claim(name)), "{value}");
        }
    }
    assert_eq!(strict(&json!({"exp": null})), Err(Claim("exp")));
}

#[test]
fn token_from_the_future_is_refused() {
    assert!(strict(&json!({"nbf": NOW + 30})).is_ok());
    assert_eq!(strict(&json!({"nbf": NOW + 31})), Err(NotYetValid));
    assert_eq!(strict(&json!({"nbf": LAST})), Err(NotYetValid));
    assert!(strict(&json!({"iat": NOW + 30})).is_ok());
    assert_eq!(strict(&json!({"iat": NOW + 31})), Err(IssuedInFuture));
}

#[test]
fn audience_is_ours_or_a_list_of_texts_with_ours() {
    assert!(strict(&json!({"aud": ["them", "us"]})).is_ok());
    for audience in [
        json!(null),
        json!("them"),
        json!("US"),
        json!(["them"]),
        json!([]),
        json!(["us", 1]),
        json!({"us": "us"}),
        json!(""),
    ] {
        let found = strict(&json!({"aud": audience}));
        assert_eq!(found, Err(Claim("aud")), "{audience}");
    }
}

#[test]
fn strict_profile_requires_the_claims_of_rfc_9068() {
    for name in ["sub", "client_id", "jti"] {
        for value in [json!(null), json!(""), json!(1), json!(["a"])] {
            assert_eq!(strict(&json!({name: value})), Err(Claim(name)));
        }
        if name != "sub" {
            assert!(check(Lenient, &json!({name: null})).is_ok());
        }
    }
    assert_eq!(strict(&json!({"iat": null})), Err(Claim("iat")));
    assert!(check(Lenient, &json!({"iat": null, "sub": null})).is_ok());
}

#[test]
fn lenient_profile_refuses_id_tokens_by_their_claims() {
    for name in ["nonce", "at_hash", "c_hash"] {
        let found = check(Lenient, &json!({name: "x"}));
        assert_eq!(found, Err(IdToken), "{name}");
    }
    let found = check(Lenient, &json!({"sub": 7}));
    assert_eq!(found, Err(Claim("sub")));
}

#[test]
fn requirement_of_the_provider_applies_in_addition() {
    let keycloak = Requirement::Equal(ClaimPath::from("typ"), "Bearer");
    let entra = Requirement::AnyOf(["scp", "roles"]);
    for (requirement, good, bad) in [
        (keycloak, json!({"typ": "Bearer"}), json!({"typ": "ID"})),
        (entra, json!({"roles": []}), json!({"scope": "a"})),
    ] {
        let rules = Rules {
            requirement: Some(requirement),
            ..rules(Lenient)
        };
        assert!(rules.check(&claims(&good), NOW).is_ok());
        assert_eq!(rules.check(&claims(&bad), NOW), Err(Type));
        assert_eq!(rules.check(&claims(&json!({})), NOW), Err(Type));
    }
}

#[test]
fn type_is_case_insensitive() {
    for kind in ["at+jwt", "AT+JWT", "application/at+jwt"] {
        assert!(Strict.check_type(Some(kind)).is_ok(), "{kind}");
        assert!(Lenient.check_type(Some(kind)).is_ok(), "{kind}");
    }
    for kind in [Some("JWT"), Some("jwt"), None] {
        assert!(Strict.check_type(kind).is_err(), "{kind:?}");
        assert!(Lenient.check_type(kind).is_ok(), "{kind:?}");
    }
    for kind in ["logout+jwt", "dpop+jwt", "", "id_token", "at+jwt "] {
        assert!(Lenient.check_type(Some(kind)).is_err(), "{kind}");
    }
}

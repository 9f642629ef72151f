//! Tests of the validation of introspection responses.

use resource_runtime::authorization::InvalidToken;
use serde_json::{Value, json};

use super::{basic_authorization, check};
use crate::Introspection;

const NOW: i64 = 1_700_000_000;

fn settings() -> Introspection {
    Introspection::new("https://h", "https://h/introspect")
        .client("id", "secret")
        .audience("us")
}

fn checked(settings: &Introspection, changes: &Value) -> Result<Option<i64>, InvalidToken> {
    let mut response = json!({"active": true, "aud": "us", "exp": NOW + 60});
    for (name, value) in changes.as_object().unwrap() {
        response[name] = value.clone();
    }
    let response = response.as_object().unwrap().clone();
    let response = response
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect();
    check(&response, settings, 30, NOW)
}

#[test]
fn only_active_tokens_are_valid() {
    assert_eq!(checked(&settings(), &json!({})), Ok(Some(NOW + 60)));
    assert_eq!(checked(&settings(), &json!({"exp": null})), Ok(None));
    for active in [json!(false), json!("true"), json!(1), json!(null)] {
        let found = checked(&settings(), &json!({"active": active}));
        assert_eq!(found, Err(InvalidToken::Inactive), "{active}");
    }
}

#[test]
fn only_access_tokens_are_accepted() {
    for claims in [
        json!({"token_use": "refresh_token"}),
        json!({"token_type": "DPoP"}),
        json!({"typ": "Refresh"}),
        json!({"typ": "ID"}),
    ] {
        assert_eq!(
            checked(&settings(), &claims),
            Err(InvalidToken::Type),
            "{claims}"
        );
    }
    let claims = json!({"typ": "Bearer", "token_type": "bearer", "token_use": "access_token"});
    assert!(checked(&settings(), &claims).is_ok());
}

#[test]
fn issuer_audience_and_times_are_checked() {
    for (claims, found) in [
        (json!({"iss": "https://h/"}), InvalidToken::UntrustedIssuer),
        (json!({"iss": ["https://h"]}), InvalidToken::UntrustedIssuer),
        (json!({"aud": "them"}), InvalidToken::Claim("aud")),
        (json!({"aud": null}), InvalidToken::Claim("aud")),
        (json!({"exp": NOW - 30}), InvalidToken::Expired),
        (json!({"exp": "soon"}), InvalidToken::Claim("exp")),
        (json!({"nbf": NOW + 31}), InvalidToken::NotYetValid),
    ] {
        assert_eq!(checked(&settings(), &claims), Err(found), "{claims}");
    }
    assert!(checked(&settings(), &json!({"iss": "https://h"})).is_ok());
    let lenient = settings().audience_is_optional();
    assert!(checked(&lenient, &json!({"aud": null})).is_ok());
    assert!(checked(&lenient, &json!({"aud": "them"})).is_err());
}

#[test]
fn credentials_are_form_encoded_and_marked_as_secret() {
    let value = basic_authorization("a:b", "p w+ü").unwrap();
    // `a%3Ab:p%20w%2B%C3%BC`
    assert_eq!(value, "Basic YSUzQWI6cCUyMHclMkIlQzMlQkM=");
    assert!(value.is_sensitive());
    assert!(!format!("{:?}", settings()).contains("secret\""));
}

//! Tests of the presets for identity providers.

use resource_runtime::authorization::Claims;
use serde_json::{Value, json};

use super::TrustedIssuer;
use crate::TokenProfile;

fn read(issuer: &TrustedIssuer, claims: &Value) -> Claims {
    let claims = claims.as_object().unwrap().clone();
    issuer.mapping.read(&issuer.issuer, 0, claims)
}

#[test]
fn preset_issuers_equal_the_iss_claim() {
    assert_eq!(
        TrustedIssuer::auth0("t.auth0.com").issuer,
        "https://t.auth0.com/"
    );
    assert_eq!(
        TrustedIssuer::entra("tenant").issuer,
        "https://login.microsoftonline.com/tenant/v2.0"
    );
    for issuer in [
        TrustedIssuer::keycloak("https://h/realms/r"),
        TrustedIssuer::auth0("t"),
        TrustedIssuer::entra("t"),
        TrustedIssuer::okta("https://o.okta.com/oauth2/default"),
    ] {
        assert_eq!(issuer.profile, TokenProfile::Lenient);
        assert!(issuer.audience("us").problems(false).is_empty());
    }
}

#[test]
fn settings_that_accept_foreign_tokens_are_problems() {
    for (issuer, word) in [
        (
            TrustedIssuer::keycloak("https://h/realms/r").audience("account"),
            "mapper",
        ),
        (TrustedIssuer::entra("common").audience("us"), "tenant"),
        (
            TrustedIssuer::entra("organizations").audience("us"),
            "tenant",
        ),
        (
            TrustedIssuer::okta("https://o.okta.com").audience("us"),
            "custom",
        ),
    ] {
        let [problem] = issuer.problems(false).try_into().unwrap();
        assert!(problem.contains(word), "{problem}");
    }
}

#[test]
fn users_and_clients_are_distinguished_by_provider_claims() {
    let entra = TrustedIssuer::entra("t");
    let user = json!({"oid": "o", "sub": "pairwise", "scp": "read", "azp": "app"});
    assert_eq!(read(&entra, &user).subject(), Some("o"));
    assert_eq!(read(&entra, &user).client_id(), Some("app"));
    let application = json!({"oid": "o", "sub": "o", "roles": ["r"], "azp": "app"});
    assert_eq!(read(&entra, &application).subject(), None);

    let okta = TrustedIssuer::okta("https://o.okta.com/oauth2/default");
    let user = json!({"uid": "u", "sub": "ann@example.com", "cid": "app", "scp": ["read"]});
    assert_eq!(read(&okta, &user).subject(), Some("u"));
    assert!(read(&okta, &user).scopes().contains("read"));
    let application = json!({"sub": "app", "cid": "app", "scp": ["read"]});
    assert_eq!(read(&okta, &application).subject(), None);
    assert_eq!(read(&okta, &application).client_id(), Some("app"));

    let auth0 = TrustedIssuer::auth0("t");
    let application = json!({"sub": "app@clients", "azp": "app", "gty": "client-credentials"});
    assert_eq!(read(&auth0, &application).subject(), None);
}

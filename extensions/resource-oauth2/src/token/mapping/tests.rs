//! Tests of the claim mapping.

use resource_runtime::authorization::{ClaimPath, Claims};
use serde_json::{Map, Value, json};

use super::{Mapping, ScopeClaim};

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn read(mapping: &Mapping, claims: &Value) -> Claims {
    mapping.read("issuer", 0, object(claims))
}

fn by_default(claims: &Value) -> Claims {
    read(&Mapping::default(), claims)
}

#[test]
fn scopes_are_the_union_of_a_list_and_an_array() {
    let claims = json!({"scope": " b  a b", "scp": ["c", 1, "not one", "a"], "roles": ["admin"]});
    assert_eq!(by_default(&claims).scopes().to_string(), "a b c");
    assert_eq!(
        by_default(&json!({"scp": "x y"})).scopes().to_string(),
        "x y"
    );
    for nothing in [json!({}), json!({"scope": 1}), json!({"scope": {"a": 1}})] {
        assert!(by_default(&nothing).scopes().is_empty(), "{nothing}");
    }
}

#[test]
fn configured_roles_become_scopes_with_their_prefix() {
    let mut mapping = Mapping::default();
    let path = ["resource_access", "my.client", "roles"];
    mapping.scopes.push(ScopeClaim::new(path, "role:"));
    let claims = json!({
        "scope": "read",
        "resource_access": {"my.client": {"roles": ["read", "admin"]}},
    });
    let scopes = read(&mapping, &claims).scopes().to_string();
    assert_eq!(scopes, "read role:admin role:read");
}

#[test]
fn a_client_on_its_own_behalf_is_no_user() {
    for subject in [
        "app",
        "client:app",
        "client:",
        "client:other",
        "app@clients",
    ] {
        let claims = by_default(&json!({"sub": subject, "client_id": "app"}));
        assert_eq!(claims.subject(), None, "{subject}");
        assert_eq!(claims.client_id(), Some("app"));
        assert!(claims.principal().is_none());
    }
    for subject in ["ann", "application", "clients:app", "xapp@clients"] {
        let claims = by_default(&json!({"sub": subject, "azp": "app"}));
        assert_eq!(claims.subject(), Some(subject));
        assert_eq!(claims.principal().unwrap().subject(), subject);
    }
}

#[test]
fn token_without_client_id_has_no_user() {
    let claims = json!({"sub": "ann", "cid": "app"});
    assert_eq!(by_default(&claims).subject(), None);
    let mut mapping = Mapping::default();
    mapping.client.push(ClaimPath::from("cid"));
    assert_eq!(read(&mapping, &claims).subject(), Some("ann"));
    let client = json!({"sub": "app", "cid": "app"});
    assert_eq!(read(&mapping, &client).subject(), None);
}

#[test]
fn issuer_grants_only_permitted_scopes() {
    let mapping = Mapping {
        grantable: Some(["read", "role:admin"].into_iter().collect()),
        ..Mapping::default()
    };
    let claims = json!({"scope": "read write admin role:admin"});
    let scopes = read(&mapping, &claims).scopes().to_string();
    assert_eq!(scopes, "read role:admin");
}

#[test]
fn subject_that_is_no_text_is_none() {
    for subject in [
        json!(""),
        json!(" "),
        json!("\u{a0}\n"),
        json!(1),
        json!(null),
    ] {
        let claims = json!({"sub": subject, "client_id": "app"});
        assert_eq!(by_default(&claims).subject(), None, "{claims}");
    }
}

#[test]
fn subject_claim_is_configurable_and_gets_its_namespace() {
    let mapping = Mapping {
        subject: ClaimPath::from(["act", "id"]),
        user_marker: Some(ClaimPath::from("scp")),
        namespace: Some(String::from("partner")),
        ..Mapping::default()
    };
    let claims = json!({"sub": "x", "act": {"id": "ann"}, "scp": "a", "azp": "app"});
    assert_eq!(read(&mapping, &claims).subject(), Some("partner:ann"));
    let claims = json!({"sub": "x", "act": {"id": "ann"}, "azp": "app"});
    assert_eq!(read(&mapping, &claims).subject(), None);
}

#[test]
fn identifiers_are_mapped_and_debug_hides_claims() {
    let claims =
        by_default(&json!({"jti": "t", "gid": "g", "sub": "ann", "email": "ann@example.com"}));
    assert_eq!(claims.token_id(), Some("t"));
    assert_eq!(claims.grant_id(), Some("g"));
    assert_eq!(claims.json()["email"], "ann@example.com");
    assert!(!format!("{claims:?}").contains("example.com"));
}

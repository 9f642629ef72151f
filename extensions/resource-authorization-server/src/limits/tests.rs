//! Tests of the rate limits.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;
use axum::http::Extensions;

use super::{CallerAddress, ClientRow, Limits, RateLimits};
use crate::store::{ClientKind, SpaceSeparated};

fn from(address: &str) -> Extensions {
    let mut extensions = Extensions::new();
    let peer: SocketAddr = address.parse().unwrap();
    extensions.insert(ConnectInfo(peer));
    extensions
}

fn client(id: &str, kind: ClientKind) -> ClientRow {
    ClientRow {
        id: id.to_owned(),
        name: String::new(),
        kind,
        secret_hash: None,
        redirect_uris: SpaceSeparated::default(),
        grant_types: SpaceSeparated::default(),
        scopes: SpaceSeparated::default(),
        default_scopes: SpaceSeparated::default(),
        can_introspect: false,
        is_resource_server: false,
        disabled_at: None,
        created_at: 0,
    }
}

#[test]
fn each_address_is_counted_alone() {
    let limits = Limits::new(RateLimits::new().per_minute_and_address(1));
    let check = |extensions: &Extensions| limits.check_address(extensions).is_ok();
    assert!(check(&from("10.0.0.1:1")));
    assert!(!check(&from("10.0.0.1:2")));
    assert!(!check(&from("[::ffff:10.0.0.1]:3")));
    assert!(check(&from("10.0.0.2:1")));
    assert!(check(&from("[2001:db8::1]:1")));
    assert!(!check(&from("[2001:db8::2]:1")));
    assert!(check(&from("[2001:db8:0:1::1]:1")));
    assert!(check(&Extensions::new()) && check(&Extensions::new()));
}

#[test]
fn public_client_is_counted_at_each_address_alone() {
    let limits = Limits::new(RateLimits::unlimited().per_minute_and_client(1));
    let [here, there] = [from("10.0.0.1:1"), from("10.0.0.2:1")];
    let check = |client: &ClientRow, extensions| limits.check_client(client, extensions).is_ok();
    let authenticated = client("a", ClientKind::Confidential);
    assert!(check(&authenticated, &here));
    assert!(!check(&authenticated, &there));
    assert!(check(&client("b", ClientKind::Confidential), &here));
    // A public client with the id of a confidential one, which cannot exist, would not share its
    // limit.
    let public = client("a", ClientKind::Public);
    assert!(check(&public, &here));
    assert!(!check(&public, &here));
    assert!(check(&public, &there));
    let nowhere = Extensions::new();
    assert!(check(&public, &nowhere) && check(&public, &nowhere));
}

#[test]
fn introspections_are_counted_apart() {
    let limits = Limits::new(RateLimits::unlimited().per_minute_and_address(1));
    let [here, there] = [from("10.0.0.1:1"), from("10.0.0.2:1")];
    assert!(limits.check_address(&here).is_ok());
    assert!(limits.check_address(&here).is_err());
    for _ in 0..10 {
        assert!(limits.count_request_on_token(&here).is_ok());
    }
    assert!(limits.count_request_on_token(&here).is_err());
    assert!(limits.count_request_on_token(&there).is_ok());
}

#[test]
fn caller_address_takes_precedence_over_the_peer() {
    let limits = Limits::new(RateLimits::unlimited().per_minute_and_address(1));
    let behind_proxy = |address: &str| {
        let mut extensions = from("10.0.0.1:1");
        extensions.insert(CallerAddress(address.parse().unwrap()));
        extensions
    };
    assert!(limits.check_address(&behind_proxy("192.0.2.1")).is_ok());
    assert!(limits.check_address(&behind_proxy("192.0.2.2")).is_ok());
    assert!(limits.check_address(&behind_proxy("192.0.2.1")).is_err());
}

#[test]
fn unlimited_settings_refuse_nothing() {
    let limits = Limits::new(RateLimits::unlimited());
    let client = client("a", ClientKind::Public);
    let here = from("10.0.0.1:1");
    for _ in 0..5000 {
        assert!(limits.check_client(&client, &here).is_ok());
        assert!(limits.check_address(&here).is_ok());
        assert!(limits.count_request_on_token(&here).is_ok());
    }
}

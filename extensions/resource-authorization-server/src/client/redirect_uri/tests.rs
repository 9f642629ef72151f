//! Tests of redirect URIs.

use super::{form_action, is_on_device, origin, problem_of, uri_matches};

#[test]
fn unsafe_redirect_uris_cannot_be_registered() {
    for valid in [
        "https://app.example.com/cb?tenant=1",
        "https://app.example.com:8443",
        "http://127.0.0.1:8080/cb",
        "http://[::1]/cb",
        "http://127.0.0.1",
        "http://localhost:3000/cb",
        "https://[2001:db8::1]:65535/cb",
        "https://app.example.com/cb?decode=1&a=code",
        "com.example.app:/cb",
        "com.example.app://cb",
    ] {
        assert_eq!(problem_of(valid), None, "{valid}");
    }
    for invalid in [
        "",
        "/cb",
        "https://",
        "https:///cb",
        "https://app.example.com/cb#top",
        "https://user@app.example.com/cb",
        "https://app.example.com\\@evil.example/cb",
        "https://app.example.com/c b",
        "http://app.example.com/cb",
        "http://127.0.0.1@evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://localhost.evil.example/cb",
        "http://127.0.0.1:99999/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "app:/cb",
        "com.example.app",
        "a.b:",
        "https:evil.example",
        "https:9",
        "HTTPS://app.example.com/cb",
        "https://*.example.com/cb",
        "https://-app.example.com/cb",
        "https://app.example.com;script-src/cb",
        "https://app.example.com'/cb",
        "https://app.example.com/cb;a",
        "https://app.example.com/cb*",
        "https://app%2eexample.com/cb",
        "https://app.example.com:/cb",
        "https://app.example.com:0/cb",
        "https://app.example.com:0443/cb",
        "https://app.example.com:+443/cb",
        "https://app.example.com:65536/cb",
        "https://app.example.com:99999999/cb",
        "https://[::1/cb",
        "https://[::1]a/cb",
        "https://[1.2.3.4]/cb",
        "http://localhost:x/cb",
        "https://app.example.com/cb?code=x",
        "https://app.example.com/cb?a=b&st%61te=",
        "com.example.app:/cb?iss=x",
        "https://app.example.com/cb?error=x",
    ] {
        assert!(problem_of(invalid).is_some(), "{invalid}");
    }
}

#[test]
fn only_loopback_ports_may_differ() {
    for (registered, requested) in [
        ("https://h/cb", "https://h/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:50001/cb"),
        ("http://127.0.0.1:1/cb?a=b", "http://127.0.0.1:2/cb?a=b"),
        ("http://[::1]/cb", "http://[::1]:9/cb"),
    ] {
        assert!(uri_matches(registered, requested), "{requested}");
    }
    for (registered, requested) in [
        ("https://h/cb", "https://h/cb/"),
        ("https://h/cb", "https://h:444/cb"),
        ("https://h/cb", "https://h/cb?a=b"),
        ("https://h/cb", "https://h/cb#"),
        ("https://h/cb", "HTTPS://h/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:50001/other"),
        ("http://127.0.0.1/cb", "http://[::1]:50001/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:@evil.example/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.2:1/cb"),
        ("http://127.0.0.1/cb", "https://127.0.0.1:1/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:70000/cb"),
        ("http://localhost/cb", "http://localhost:50001/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:0/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:0080/cb"),
    ] {
        assert!(!uri_matches(registered, requested), "{requested}");
    }
}

#[test]
fn form_action_is_an_origin_or_a_scheme() {
    assert_eq!(form_action("https://h:8443/cb?a=b"), "https://h:8443");
    assert_eq!(form_action("http://[::1]:1/cb"), "http:");
    assert_eq!(form_action("com.example.app:/cb"), "com.example.app:");
}

#[test]
fn origin_has_the_form_that_browsers_send() {
    for (uri, expected) in [
        (
            "https://App.example.com/cb",
            Some("https://app.example.com"),
        ),
        ("https://h:443/cb", Some("https://h")),
        ("https://h:80/cb", Some("https://h:80")),
        ("http://localhost:80/cb", Some("http://localhost")),
        ("http://[::1]:3000", Some("http://[::1]:3000")),
        ("com.example.app:/cb", None),
    ] {
        assert_eq!(origin(uri).as_deref(), expected, "{uri}");
    }
}

#[test]
fn loopback_and_private_use_uris_are_on_the_device() {
    for uri in ["http://127.0.0.1/cb", "http://localhost/cb", "a.b:/cb"] {
        assert!(is_on_device(uri), "{uri}");
    }
    assert!(!is_on_device("https://app.example.com/cb"));
}

//! Fetching keys from an issuer that is slow, broken or hostile.

use std::time::{Duration, Instant};

use resource_tests::block_on;

use crate::issuer::{FakeIssuer, KEYS, OAUTH};
use crate::reply::{Gate, Reply};
use crate::signer::{Signer, key_set};

/// The error of building a verifier while the issuer responds like this to a request for its keys.
fn error_with(make: impl FnOnce(&FakeIssuer, Reply) -> Reply) -> String {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[]);
    let good = Reply::json(&key_set(&[&signer]));
    issuer.reply("/elsewhere", good.clone());
    let reply = make(&issuer, good);
    issuer.reply(KEYS, reply);
    let settings = issuer.settings().issuer(issuer.trusted());
    let error = block_on(settings.build()).unwrap_err().to_string();
    assert_eq!(issuer.asked(KEYS), 1);
    assert_eq!(issuer.asked("/elsewhere"), 0);
    assert!(error.contains(&issuer.name), "{error}");
    error
}

#[test]
fn redirects_are_not_followed() {
    let error = error_with(|issuer, _| Reply::redirect(&issuer.url("/elsewhere")));
    assert!(error.contains("302"), "{error}");
}

#[test]
fn response_is_limited_to_256_kib() {
    let error = error_with(|_, good| good.padded(256 * 1024));
    assert!(error.contains("not read"), "{error}");
    let issuer = FakeIssuer::publishing(&[]);
    let signer = Signer::es256("first");
    issuer.reply(KEYS, Reply::json(&key_set(&[&signer])).padded(255 * 1024));
    issuer.verifier();
}

#[test]
fn error_status_and_html_page_are_refused() {
    let error = error_with(|_, _| Reply::status(500));
    assert!(error.contains("500"), "{error}");
    let error = error_with(|_, _| Reply::html());
    assert!(error.contains("key set"), "{error}");
}

#[test]
fn silent_issuer_runs_into_the_timeout() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    let never = Gate::closed();
    issuer.reply(OAUTH, Reply::json(&issuer.document()).behind(&never));
    let settings = issuer.settings().issuer(issuer.trusted());
    let started = Instant::now();
    let limited = settings.timeout(Duration::from_millis(200));
    let error = block_on(limited.build()).unwrap_err().to_string();
    assert!(error.contains("in time"), "{error}");
    assert!(started.elapsed() >= Duration::from_millis(200));
    assert_eq!(issuer.asked(OAUTH), 1);
}

#[test]
fn refused_connection_is_an_error() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::publishing(&[&signer]);
    // A port on which nobody listens any more.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let trusted = issuer.trusted().jwks_uri(format!("http://{address}/keys"));
    let error = block_on(issuer.settings().issuer(trusted).build()).unwrap_err();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}

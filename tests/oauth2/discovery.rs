//! Discovery of the address of an issuer's keys, by its metadata document.

use resource_tests::block_on;
use serde_json::json;

use crate::issuer::{FakeIssuer, KEYS, OAUTH, OPENID, verify};
use crate::reply::Reply;
use crate::signer::Signer;

#[test]
fn openid_configuration_is_used_as_a_fallback() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::silent();
    issuer.publish(&[&signer]);
    issuer.reply(OPENID, Reply::json(&issuer.document()));
    let verifier = issuer.verifier();
    assert!(verify(&verifier, &signer.sign(&issuer.claims())).is_ok());
    assert_eq!((issuer.asked(OAUTH), issuer.asked(OPENID)), (1, 1));
}

#[test]
fn document_of_another_issuer_is_refused() {
    let signer = Signer::es256("first");
    for name in ["https://login.example.com", "", "http://127.0.0.1"] {
        let issuer = FakeIssuer::silent();
        issuer.publish(&[&signer]);
        let document = json!({"issuer": name, "jwks_uri": issuer.url(KEYS)});
        issuer.reply(OAUTH, Reply::json(&document));
        let trailing = json!({"issuer": issuer.url("/"), "jwks_uri": issuer.url(KEYS)});
        issuer.reply(OPENID, Reply::json(&trailing));
        let settings = issuer.settings().issuer(issuer.trusted());
        let error = block_on(settings.build()).unwrap_err().to_string();
        assert!(error.contains(&format!("`{name}`")), "{error}");
        assert!(error.contains(&format!("`{}/`", issuer.name)), "{error}");
        assert_eq!(issuer.asked(KEYS), 0);
    }
}

#[test]
fn jwks_uri_must_be_https() {
    for url in [
        "http://login.example.com/keys",
        "http://169.254.169.254/keys",
        "file:///keys",
    ] {
        let issuer = FakeIssuer::silent();
        let document = json!({"issuer": issuer.name, "jwks_uri": url});
        issuer.reply(OAUTH, Reply::json(&document));
        let settings = issuer.settings().issuer(issuer.trusted());
        let error = block_on(settings.build()).unwrap_err().to_string();
        assert!(error.contains(&format!("`{url}` is not")), "{error}");
    }
}

#[test]
fn jwks_uri_setting_skips_discovery() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::silent();
    issuer.publish(&[&signer]);
    let trusted = issuer.trusted().jwks_uri(issuer.url(KEYS));
    let verifier = block_on(issuer.settings().issuer(trusted).build()).unwrap();
    assert!(verify(&verifier, &signer.sign(&issuer.claims())).is_ok());
    assert_eq!((issuer.asked(OAUTH), issuer.asked(OPENID)), (0, 0));
}

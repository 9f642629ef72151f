//! Settings of the verifier that would accept foreign tokens, or none, are refused by `build`.

use std::time::Duration;

use resource_oauth2::{
    Algorithm, Introspection, TokenVerifier, TokenVerifierBuilder, TrustedIssuer,
};
use resource_tests::{block_on, problems};

use crate::issuer::{AUDIENCE, FakeIssuer};
use crate::signer::{Signer, key_set};

const ISSUER: &str = "https://login.example.com";

fn mistakes(settings: TokenVerifierBuilder) -> Vec<String> {
    let error = block_on(settings.build()).unwrap_err();
    problems(&error)
}

#[track_caller]
fn assert_mistake(issuer: TrustedIssuer, words: &[&str]) {
    let [mistake] = mistakes(TokenVerifier::builder().lazy().issuer(issuer))
        .try_into()
        .unwrap();
    for word in words {
        assert!(mistake.contains(word), "{mistake}");
    }
}

#[test]
fn audience_is_required() {
    let missing = TrustedIssuer::new(ISSUER);
    assert_mistake(missing.clone(), &["no audience", ".audience(…)", ISSUER]);
    for blank in ["", "  ", "\u{a0}"] {
        assert_mistake(missing.clone().audience(blank), &["no audience"]);
    }
}

#[test]
fn issuer_is_required_and_has_an_https_url() {
    let none = mistakes(TokenVerifier::builder());
    assert!(none.concat().contains(".issuer(…)"), "{none:?}");
    for url in [
        "http://login.example.com",
        "login.example.com",
        "http://127.0.0.1:1",
        "",
    ] {
        let issuer = TrustedIssuer::new(url).audience(AUDIENCE);
        assert!(!mistakes(TokenVerifier::builder().lazy().issuer(issuer)).is_empty());
    }
    let keys = TrustedIssuer::new(ISSUER).audience(AUDIENCE);
    assert_mistake(keys.jwks_uri("http://login.example.com/keys"), &["https"]);
}

#[test]
fn unusable_keys_are_refused() {
    for keys in [
        "",
        "{}",
        r#"{"keys": []}"#,
        r#"{"keys": [{"kty": "oct", "k": "AAAA"}]}"#,
    ] {
        let issuer = TrustedIssuer::with_keys(ISSUER, keys).audience(AUDIENCE);
        assert_mistake(issuer, &["key set"]);
    }
    let short = TrustedIssuer::with_shared_secret(ISSUER, [7; 31]).audience(AUDIENCE);
    assert_mistake(short, &["32 bytes"]);
    let none: [Algorithm; 0] = [];
    let issuer = TrustedIssuer::new(ISSUER)
        .audience(AUDIENCE)
        .algorithms(none);
    assert_mistake(issuer, &["algorithm"]);
}

#[test]
fn key_set_needs_a_key_for_an_allowed_algorithm() {
    let keys = key_set(&[&Signer::es256("e")]).to_string();
    let trusted = || TrustedIssuer::with_keys(ISSUER, keys.clone()).audience(AUDIENCE);
    let none = trusted().algorithms([Algorithm::Rs256, Algorithm::EdDsa]);
    assert_mistake(none, &["no key for RS256, EdDSA", ".algorithms(…)"]);
    let one = trusted().algorithms([Algorithm::Rs256, Algorithm::Es256]);
    let verifier = block_on(TokenVerifier::builder().issuer(one).build()).unwrap();
    let other = key_set(&[&Signer::ed25519("o")]).to_string();
    let error = verifier.replace_keys(ISSUER, &other).unwrap_err();
    assert!(
        error.to_string().contains("no key for RS256, ES256"),
        "{error}"
    );
}

#[test]
fn fetched_key_set_needs_a_key_for_an_allowed_algorithm() {
    let issuer = FakeIssuer::publishing(&[&Signer::es256("e")]);
    let trusted = issuer.trusted().algorithms([Algorithm::Ps256]);
    let found = mistakes(issuer.settings().issuer(trusted));
    assert!(found.concat().contains("no key for PS256"), "{found:?}");
}

#[test]
fn key_off_its_curve_is_refused() {
    let mut keys = key_set(&[&Signer::es256("e")]);
    keys["keys"][0]["x"] = keys["keys"][0]["y"].clone();
    let issuer = TrustedIssuer::with_keys(ISSUER, keys.to_string()).audience(AUDIENCE);
    assert_mistake(issuer, &["key set has no key"]);
}

#[test]
fn leeway_and_timeout_are_bounded() {
    let keys = key_set(&[&Signer::es256("e")]).to_string();
    let settings = || {
        let issuer = TrustedIssuer::with_keys(ISSUER, keys.clone()).audience(AUDIENCE);
        TokenVerifier::builder().issuer(issuer)
    };
    assert!(block_on(settings().leeway(Duration::from_mins(2)).build()).is_ok());
    assert_eq!(
        mistakes(settings().leeway(Duration::from_secs(121))).len(),
        1
    );
    assert_eq!(
        mistakes(settings().timeout(Duration::from_secs(6))).len(),
        1
    );
    assert_eq!(mistakes(settings().timeout(Duration::ZERO)).len(), 1);
}

#[test]
fn introspection_requires_a_client_and_an_audience() {
    let bare = Introspection::new(ISSUER, "http://login.example.com/introspect");
    let found = mistakes(TokenVerifier::builder().introspection(bare));
    assert_eq!(found.len(), 3, "{found:?}");
    let blank = Introspection::new(ISSUER, "https://login.example.com/introspect");
    let blank = blank.client("id", "secret").audience(" ");
    let found = mistakes(TokenVerifier::builder().introspection(blank));
    assert!(found.concat().contains("no audience"), "{found:?}");
}

#[test]
fn all_problems_are_reported_at_once() {
    let settings = TokenVerifier::builder()
        .issuer(TrustedIssuer::new("http://a"))
        .issuer(TrustedIssuer::new("http://b"))
        .leeway(Duration::from_secs(999));
    // URL, audience and namespace of each issuer, and the leeway.
    assert_eq!(mistakes(settings).len(), 7);
}

#[test]
fn keys_can_be_replaced_only_for_a_trusted_issuer() {
    let (first, second) = (Signer::es256("e"), Signer::es256("e"));
    let keys = key_set(&[&first]).to_string();
    let issuer = TrustedIssuer::with_keys(ISSUER, keys).audience(AUDIENCE);
    let verifier = block_on(TokenVerifier::builder().issuer(issuer).build()).unwrap();
    let keys = key_set(&[&second]).to_string();
    assert!(verifier.replace_keys(ISSUER, &keys).is_ok());
    let error = verifier.replace_keys("https://login.example.con", &keys);
    assert!(error.unwrap_err().to_string().contains(ISSUER));
    assert!(verifier.replace_keys(ISSUER, "{}").is_err());
}

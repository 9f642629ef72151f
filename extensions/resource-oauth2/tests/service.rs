//! A service of one's own, without resources, whose callers prove themselves by access tokens.

#![allow(clippy::expect_used, reason = "a test fails by a panic")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use resource_oauth2::issuing::keyed_digest;
use resource_oauth2::{
    Authorization, Challenge, InvalidToken, Refusal, TokenVerifier, TrustedIssuer,
};
use resource_runtime::authorization::{ApiAddress, Authenticator as _, SecurityScheme};
use serde_json::{Value, json};

const ISSUER: &str = "https://login.example.com";
const AUDIENCE: &str = "https://api.example.com";
const SECRET: &[u8] = b"a secret of thirty-two bytes, or more";

async fn verifier() -> TokenVerifier {
    let issuer = TrustedIssuer::with_shared_secret(ISSUER, SECRET).audience(AUDIENCE);
    let built = TokenVerifier::builder().issuer(issuer).build().await;
    built.expect("a verifier")
}

/// A token of the issuer for an audience.
fn token(audience: &str) -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since_1970.expect("a moment after 1970").as_secs();
    let header = json!({"alg": "HS256", "typ": "at+jwt"});
    let claims = json!({
        "iss": ISSUER, "aud": audience, "sub": "ann", "client_id": "app", "scope": "notes.read",
        "iat": now, "exp": now + 60, "jti": "1",
    });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = URL_SAFE_NO_PAD.encode(keyed_digest(SECRET, signed.as_bytes()));
    format!("{signed}.{signature}")
}

fn bearer(token: &str) -> HeaderMap {
    let value = HeaderValue::try_from(format!("Bearer {token}")).expect("a header");
    HeaderMap::from_iter([(header::AUTHORIZATION, value)])
}

#[tokio::test]
async fn a_good_token_tells_its_user_scopes_and_end() {
    let headers = bearer(&token(AUDIENCE));
    let claims = verifier().await.authenticate(&headers).await;
    let claims = claims.expect("the claims");
    assert_eq!(claims.subject(), Some("ann"));
    assert_eq!(claims.client_id(), Some("app"));
    assert!(claims.scopes().contains("notes.read"));
    assert!(claims.expires_at() > SystemTime::now() + Duration::from_secs(30));
}

#[tokio::test]
async fn a_refusal_is_told_by_status_and_challenge() {
    let verifier = verifier().await;
    let challenge = Challenge::new().realm("notes");
    for (headers, status, error) in [
        (
            HeaderMap::new(),
            StatusCode::UNAUTHORIZED,
            "realm=\"notes\"",
        ),
        (
            bearer("a b"),
            StatusCode::BAD_REQUEST,
            "error=\"invalid_request\"",
        ),
        (
            bearer(&token("https://elsewhere.example.com")),
            StatusCode::UNAUTHORIZED,
            "error=\"invalid_token\"",
        ),
    ] {
        let refusal = verifier
            .authenticate(&headers)
            .await
            .expect_err("a refusal");
        assert_eq!(refusal.status(), status, "{refusal}");
        let told = challenge.header(&refusal).expect("a challenge");
        let told = told.to_str().expect("a text");
        assert!(told.contains(error), "{told}");
    }
    let refusal = verifier.verify("a.b.c").await.expect_err("no token");
    assert_eq!(refusal, Refusal::from(InvalidToken::Unreadable));
}

#[tokio::test]
async fn an_authorization_tells_schemes_and_metadata_of_an_api() {
    let authorization = Authorization::new(verifier().await)
        .token_endpoint("https://login/token")
        .docs_client("reference");
    let bearer_and_flows = [
        SecurityScheme::Bearer,
        SecurityScheme::OAuth2 {
            authorization_endpoint: None,
            token_endpoint: "https://login/token".to_owned(),
            docs_client: Some("reference".to_owned()),
        },
    ];
    assert_eq!(authorization.schemes(), bearer_and_flows);
    let api = ApiAddress {
        base_url: Some("https://api.example.com/app"),
        root: "/api",
    };
    let challenge = authorization.challenge(api).header(&Refusal::MissingToken);
    let url = "https://api.example.com/.well-known/oauth-protected-resource/app/api";
    let told = challenge.expect("a challenge");
    assert!(told.to_str().expect("a text").contains(url), "{told:?}");
    assert!(authorization.routes(api).has_routes());
    let elsewhere = authorization.resource_metadata("https://elsewhere.example.com/metadata");
    assert!(!elsewhere.routes(api).has_routes());
}

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_oauth2::issuing::{self, origin_and_path};
use serde_json::{Value, json};

use crate::authorization_server::Shared;
use crate::client::GrantType;
use crate::owner::ConsentPrompt;

/// How clients say who they are: with Basic, in the body, or not at all.
const ANY_METHOD: [&str; 3] = ["client_secret_basic", "client_secret_post", "none"];
const WITH_SECRET: [&str; 2] = ["client_secret_basic", "client_secret_post"];

/// `GET /.well-known/oauth-authorization-server` (RFC 8414).
pub(super) async fn of_server(State(shared): State<Arc<Shared>>) -> Response {
    let (origin, _) = origin_and_path(&shared.issuer);
    let at = |path: &str| format!("{origin}{path}");
    let grant_types = GrantType::ALL.map(GrantType::as_str);
    let document = json!({
        "issuer": shared.issuer,
        "authorization_endpoint": at(ConsentPrompt::ACTION),
        "token_endpoint": at("/oauth/token"),
        "jwks_uri": at("/oauth/jwks"),
        "scopes_supported": scopes(&shared),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": grant_types,
        "token_endpoint_auth_methods_supported": ANY_METHOD,
        "revocation_endpoint": at("/oauth/revoke"),
        "revocation_endpoint_auth_methods_supported": ANY_METHOD,
        "introspection_endpoint": at("/oauth/introspect"),
        "introspection_endpoint_auth_methods_supported": WITH_SECRET,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [shared.resource],
        "service_documentation": shared.documentation,
    });
    published(document, "public, max-age=3600")
}

/// `GET /.well-known/oauth-protected-resource` (RFC 9728).
pub(super) async fn of_resource(State(shared): State<Arc<Shared>>) -> Response {
    let document = json!({
        "resource": shared.resource,
        "authorization_servers": [shared.issuer],
        "scopes_supported": scopes(&shared),
        "bearer_methods_supported": ["header"],
        "resource_name": shared.resource_name,
        "resource_documentation": shared.documentation,
    });
    published(document, "public, max-age=3600")
}

/// `GET /oauth/jwks`: the public keys (RFC 7517).
pub(super) async fn key_set(State(shared): State<Arc<Shared>>) -> Response {
    published(shared.key_set(), "public, max-age=300")
}

/// What a browser asks before a page of another origin that sends headers of its own may read.
pub(super) async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
        (header::ACCESS_CONTROL_MAX_AGE, "3600"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn scopes(shared: &Shared) -> Vec<&str> {
    shared.scopes.iter().collect()
}

/// A document in which a member without a value is left out.
fn published(mut document: Value, cache: &'static str) -> Response {
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    issuing::published(&document, cache)
}

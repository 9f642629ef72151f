use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_oauth2::issuing::{self, origin_and_path};
use serde_json::{Value, json};

use crate::authorization_server::ServerState;
use crate::client::GrantType;
use crate::resource_owner::ConsentPrompt;

/// How clients say who they are: with Basic, in the body, or not at all.
const ANY_METHOD: [&str; 3] = ["client_secret_basic", "client_secret_post", "none"];
const WITH_SECRET: [&str; 2] = ["client_secret_basic", "client_secret_post"];

/// `GET /.well-known/oauth-authorization-server` (RFC 8414).
pub(super) async fn of_server(State(state): State<Arc<ServerState>>) -> Response {
    let (origin, _) = origin_and_path(&state.issuer);
    let at = |path: &str| format!("{origin}{path}");
    let grant_types = GrantType::ALL.map(GrantType::as_str);
    let document = json!({
        "issuer": state.issuer,
        "authorization_endpoint": at(ConsentPrompt::ACTION),
        "token_endpoint": at("/oauth/token"),
        "jwks_uri": at("/oauth/jwks"),
        "scopes_supported": scopes(&state),
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
        "protected_resources": [state.resource],
        "service_documentation": state.documentation,
    });
    published(document, "public, max-age=3600")
}

/// `GET /.well-known/oauth-protected-resource` (RFC 9728).
pub(super) async fn of_resource(State(state): State<Arc<ServerState>>) -> Response {
    let document = json!({
        "resource": state.resource,
        "authorization_servers": [state.issuer],
        "scopes_supported": scopes(&state),
        "bearer_methods_supported": ["header"],
        "resource_name": state.resource_name,
        "resource_documentation": state.documentation,
    });
    published(document, "public, max-age=3600")
}

/// `GET /oauth/jwks`: the public keys (RFC 7517).
pub(super) async fn key_set(State(state): State<Arc<ServerState>>) -> Response {
    published(state.key_set(), "public, max-age=300")
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

fn scopes(state: &ServerState) -> Vec<&str> {
    state.scopes.iter().collect()
}

/// A document in which a member without a value is left out.
fn published(mut document: Value, cache: &'static str) -> Response {
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    issuing::published(&document, cache)
}

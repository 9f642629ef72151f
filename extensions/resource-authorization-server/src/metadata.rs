//! Public metadata: of the server (RFC 8414), of the resource (RFC 9728), and the key set (RFC
//! 7517).

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use resource_oauth2::issuing::{self, origin_and_path};
use serde_json::{Value, json};

use crate::authorization_server::ServerState;
use crate::client::GrantType;
use crate::resource_owner::ConsentPrompt;

/// Methods of client authentication; `none` is for public clients.
const AUTH_METHODS: [&str; 3] = ["client_secret_basic", "client_secret_post", "none"];
const SECRET_AUTH_METHODS: [&str; 2] = ["client_secret_basic", "client_secret_post"];

/// `GET /.well-known/oauth-authorization-server` (RFC 8414).
pub(super) async fn server(State(state): State<Arc<ServerState>>) -> Response {
    let (origin, _) = origin_and_path(&state.issuer);
    let at = |path: &str| format!("{origin}{path}");
    let grant_types = GrantType::ALL.map(GrantType::as_str);
    let document = json!({
        // Grant types and authentication methods are stated even where they seem obvious: the
        // defaults of RFC 8414 are others, such as the implicit grant. Without
        // `code_challenge_methods_supported`, clients assume no PKCE.
        "issuer": state.issuer,
        // The consent form is posted to the authorization endpoint itself.
        "authorization_endpoint": at(ConsentPrompt::ACTION),
        "token_endpoint": at("/oauth/token"),
        "jwks_uri": at("/oauth/jwks"),
        "scopes_supported": scopes(&state),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": grant_types,
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint": at("/oauth/revoke"),
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "introspection_endpoint": at("/oauth/introspect"),
        "introspection_endpoint_auth_methods_supported": SECRET_AUTH_METHODS,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [state.resource],
        "service_documentation": state.documentation,
    });
    json_document(document, "public, max-age=3600")
}

/// `GET /.well-known/oauth-protected-resource` (RFC 9728).
pub(super) async fn resource(State(state): State<Arc<ServerState>>) -> Response {
    let document = json!({
        "resource": state.resource,
        "authorization_servers": [state.issuer],
        "scopes_supported": scopes(&state),
        "bearer_methods_supported": ["header"],
        "resource_name": state.resource_name,
        "resource_documentation": state.documentation,
    });
    json_document(document, "public, max-age=3600")
}

/// `GET /oauth/jwks`: the public keys (RFC 7517).
pub(super) async fn key_set(State(state): State<Arc<ServerState>>) -> Response {
    // Five minutes are far below the day for which a new key is published before it signs.
    json_document(state.key_set(), "public, max-age=300")
}

/// Response to a CORS preflight: every origin may read the metadata.
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

/// A response with the members of a document that are not null.
fn json_document(mut document: Value, cache: &'static str) -> Response {
    // Settings that the host left out are absent, since the RFCs know no null here.
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    issuing::published(&document, cache)
}

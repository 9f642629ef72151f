//! `POST /oauth/introspect`: token introspection (RFC 7662).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use resource_runtime::authorization::Claims;
use serde_json::{Map, Value, json};

use crate::authenticate::authenticate;
use crate::authorization_server::ServerState;
use crate::error_response::{EndpointError, EndpointResult, ErrorCode, OauthError, json_response};
use crate::form;
use crate::store::ClientRow;

/// Claims in the response (RFC 7662, section 2.2).
const INTROSPECTED_CLAIMS: [&str; 8] = [
    "scope",
    "client_id",
    "sub",
    "aud",
    "iss",
    "exp",
    "iat",
    "jti",
];

/// Handles an introspection. A token that is invalid or not for this client is `"active": false`
/// alike.
pub(super) async fn introspect(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> EndpointResult {
    let (request, body) = request.into_parts();
    // Counted before the body is read, so that a refused request costs next to nothing.
    state.limits.count_request_on_token(&request.extensions)?;
    let form = form::read(&request, body).await?;
    let client = authenticate(&state, &request, &form).await?;
    require_permission(&client)?;
    let missing = OauthError::invalid_request("the parameter token is missing");
    let token = form.get("token")?.ok_or(missing)?;
    // Why a token is invalid is not told, nor that it belongs to another client (RFC 7662, section
    // 2.2).
    let claims = state.verifier.verify(token).await.ok();
    let claims = claims.filter(|claims| may_see(&client, claims));
    let response = claims.map_or_else(|| json!({"active": false}), |claims| active(&claims));
    Ok(json_response(StatusCode::OK, &response))
}

fn require_permission(client: &ClientRow) -> Result<(), EndpointError> {
    if !client.is_confidential() {
        // A public client authenticates nothing, so the endpoint would answer anybody (RFC 7662,
        // section 2.1).
        let by_header = false;
        return Err(EndpointError::NotAuthenticated { by_header });
    }
    let refused = ErrorCode::UNAUTHORIZED_CLIENT.described("the client may not introspect tokens");
    let permitted = client.can_introspect.then_some(());
    permitted.ok_or(refused.into())
}

/// Tests that the client is a resource server, or that the token was issued to it.
fn may_see(client: &ClientRow, claims: &Claims) -> bool {
    client.is_resource_server || claims.client_id() == Some(client.id.as_str())
}

fn active(claims: &Claims) -> Value {
    // A fixed list: private claims, such as the grant id, are no business of the caller.
    let members = INTROSPECTED_CLAIMS.into_iter().filter_map(|name| {
        let value = claims.json().get(name)?;
        Some((name.to_owned(), value.clone()))
    });
    let mut response: Map<String, Value> = members.collect();
    response.insert("active".to_owned(), true.into());
    response.insert("token_type".to_owned(), "Bearer".into());
    Value::Object(response)
}

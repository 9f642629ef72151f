use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use resource_runtime::authorization::Claims;
use serde_json::{Map, Value, json};

use crate::authenticate::authenticate;
use crate::authorization_server::ServerState;
use crate::error_response::{ErrorName, OauthError, Problem, json_response};
use crate::form;
use crate::store::ClientRow;

/// What is told of a token (RFC 7662, section 2.2).
const TOLD: [&str; 8] = [
    "scope",
    "client_id",
    "sub",
    "aud",
    "iss",
    "exp",
    "iat",
    "jti",
];

/// `POST /oauth/introspect` (RFC 7662).
pub(super) async fn introspect(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (request, body) = request.into_parts();
    state.limits.check_introspection(&request.extensions)?;
    let form = form::read(&request, body).await?;
    let client = authenticate(&state, &request, &form).await?;
    require_permission(&client)?;
    let missing = OauthError::invalid_request("the parameter token is missing");
    let token = form.get("token")?.ok_or(missing)?;
    let told = state.verifier.verify(token).await.ok();
    let told = told.filter(|claims| concerns(&client, claims));
    let told = told.map_or_else(|| json!({"active": false}), |claims| active(&claims));
    Ok(json_response(StatusCode::OK, &told))
}

fn require_permission(client: &ClientRow) -> Result<(), Problem> {
    if !client.is_confidential() {
        let by_header = false;
        return Err(Problem::NotAuthenticated { by_header });
    }
    let refused = ErrorName::UNAUTHORIZED_CLIENT.described("the client may not introspect tokens");
    let permitted = client.can_introspect.then_some(());
    permitted.ok_or(refused.into())
}

/// Whether the token is for the client that asks, or was issued to it.
fn concerns(client: &ClientRow, claims: &Claims) -> bool {
    client.is_resource_server || claims.client_id() == Some(client.id.as_str())
}

fn active(claims: &Claims) -> Value {
    let members = TOLD.into_iter().filter_map(|name| {
        let value = claims.json().get(name)?;
        Some((name.to_owned(), value.clone()))
    });
    let mut told: Map<String, Value> = members.collect();
    told.insert("active".to_owned(), true.into());
    told.insert("token_type".to_owned(), "Bearer".into());
    Value::Object(told)
}

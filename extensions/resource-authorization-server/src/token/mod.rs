//! `POST /oauth/token`: access tokens in exchange for a code, a refresh token or client
//! credentials.

mod code;
mod grant;
mod refresh;
mod replay;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::json;

use crate::access_token;
use crate::authenticate::authenticate;
use crate::authorization_server::ServerState;
use crate::client::GrantType;
use crate::error_response::{EndpointError, EndpointResult, ErrorCode, OauthError, json_response};
use crate::form::{Form, handle_form};
use crate::limits::Limits;
use crate::store::{ClientRow, SpaceSeparated};
pub(super) use grant::revoke_grant;

pub(super) async fn token(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> Response {
    handle_form(state, request, Limits::check_address, respond).await
}

async fn respond(state: Arc<ServerState>, request: Parts, form: Form) -> EndpointResult {
    let client = authenticate(&state, &request, &form).await?;
    // Counted only once the client is authenticated: otherwise anybody could use up its limit.
    state.limits.check_client(&client, &request.extensions)?;
    let token = issue(&state, &client, &form).await?;
    let mut body = json!({
        "access_token": token.access_token,
        "token_type": "Bearer",
        "expires_in": state.lifetimes.access_token.as_secs(),
        "scope": token.scope.as_str(),
    });
    // Without a refresh token the member is left out, not null (RFC 6749, section 5.1).
    if let (Some(refresh_token), Some(body)) = (token.refresh_token, body.as_object_mut()) {
        body.insert("refresh_token".to_owned(), refresh_token.into());
    }
    Ok(json_response(StatusCode::OK, &body))
}

async fn issue(
    state: &ServerState,
    client: &ClientRow,
    form: &Form,
) -> Result<TokenResponse, EndpointError> {
    let missing = OauthError::invalid_request("the parameter grant_type is missing");
    let named = form.get("grant_type")?.ok_or(missing)?;
    let grant_type = GrantType::by_name(named)
        .ok_or(ErrorCode::UNSUPPORTED_GRANT_TYPE.described("the grant type is not supported"))?;
    // Unknown and forbidden grant types have different errors (RFC 6749, section 5.2).
    client.require(grant_type)?;
    require_resource(state, form)?;
    match grant_type {
        GrantType::AuthorizationCode => code::redeem(state, client, form).await,
        GrantType::ClientCredentials => issue_to_client(state, client, form),
        GrantType::RefreshToken => refresh::refresh(state, client, form).await,
    }
}

/// Refuses any other resource than the one of this server (RFC 8707).
pub(super) fn require_resource(state: &ServerState, form: &Form) -> Result<(), OauthError> {
    // The caller has checked the form, so a repeated parameter does not get here. Absent, it is our
    // only resource.
    let named = form.get("resource")?;
    let ours = named.is_none_or(|named| named == state.resource);
    ours.then_some(())
        .ok_or(ErrorCode::INVALID_TARGET.described("the resource is not known"))
}

/// A successful token response (RFC 6749, section 5.1).
struct TokenResponse {
    access_token: String,
    scope: SpaceSeparated,
    refresh_token: Option<String>,
}

/// A token for the client itself (RFC 6749, section 4.4). It gets no refresh token: the client can
/// authenticate again.
fn issue_to_client(
    state: &ServerState,
    client: &ClientRow,
    form: &Form,
) -> Result<TokenResponse, EndpointError> {
    let scope = client.scopes_for(form.get("scope")?)?;
    let access_token = access_token::for_client(state, client, &scope)?;
    tracing::info!(client = client.id, "an access token was issued to a client");
    Ok(TokenResponse {
        access_token,
        scope,
        refresh_token: None,
    })
}

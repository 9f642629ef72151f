//! `POST /oauth/token`: a client exchanges what it has for an access token.

mod client_credentials;
mod code;
mod grant;
mod issued;
mod origin;
mod refresh;
mod retry;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};

use super::answer::{ErrorName, OauthError, Problem};
use super::authenticate::authenticate;
use super::body;
use super::client::{Authorized as _, GrantType};
use super::form::Form;
use super::shared::Shared;
use super::store::ClientRow;
pub(super) use grant::revoke_grant;
use issued::Issued;

pub(super) async fn token(
    State(shared): State<Arc<Shared>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (request, body) = request.into_parts();
    shared.limits.check_address(&request.extensions)?;
    let form = body::read(&request, body).await?;
    let client = authenticate(&shared, &request.headers, &form).await?;
    let issued = issue(&shared, &client, &form).await;
    let mut answer = issued.map_or_else(Problem::into_response, Issued::into_response);
    origin::allow(&mut answer, &client, &request.headers);
    Ok(answer)
}

async fn issue(shared: &Shared, client: &ClientRow, form: &Form) -> Result<Issued, Problem> {
    let missing = OauthError::invalid_request("the parameter grant_type is missing");
    let named = form.get("grant_type")?.ok_or(missing)?;
    let grant_type = GrantType::by_name(named).ok_or(OauthError::new(
        ErrorName::UnsupportedGrantType,
        "the grant type is not supported",
    ))?;
    client.require(grant_type)?;
    require_resource(shared, form)?;
    match grant_type {
        GrantType::AuthorizationCode => code::redeem(shared, client, form).await,
        GrantType::ClientCredentials => client_credentials::issue(shared, client, form),
        GrantType::RefreshToken => refresh::refresh(shared, client, form).await,
    }
}

/// There is one resource (RFC 8707).
pub(super) fn require_resource(shared: &Shared, form: &Form) -> Result<(), OauthError> {
    let named = form.get("resource").unwrap_or_default();
    let ours = named.is_none_or(|named| named == shared.resource);
    ours.then_some(()).ok_or(OauthError::new(
        ErrorName::InvalidTarget,
        "the resource is not known",
    ))
}

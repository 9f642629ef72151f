//! `POST /oauth/token`: a client exchanges what it has for an access token.

mod client_credentials;
mod code;
mod grant;
mod issued;
mod refresh;
mod retry;
mod rotation;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;

use super::answer::{ErrorName, OauthError, Problem};
use super::authenticate::authenticate;
use super::client::GrantType;
use super::form::Form;
use super::limits::Limits;
use super::question::{Question, answered};
use super::shared::Shared;
use super::store::ClientRow;
pub(super) use grant::{EndedGrant, end_grant};
use issued::Issued;

pub(super) async fn token(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response {
    answered(shared, request, Limits::check_address, answer).await
}

async fn answer(question: Question) -> Result<Response, Problem> {
    let Question {
        shared,
        request,
        form,
    } = &question;
    let client = authenticate(shared, request, form).await?;
    shared.limits.check_client(&client, &request.extensions)?;
    let issued = issue(shared, &client, form).await?;
    Ok(issued.into_response())
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

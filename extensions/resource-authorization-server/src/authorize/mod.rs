//! `/oauth/authorize`: a client sends its user here, who logs in, consents and is redirected back.
//!
//! No response leads to a redirect URI before it is validated as the client's. Nor is a user
//! redirected who is not logged in: anybody can make a link to this endpoint that holds an error,
//! which would turn it into an open redirector to any registered client (RFC 9700, section 4.11.2).

mod consent;
mod decision;
mod error;
mod pending;
mod request;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;

use crate::authenticate::find_client;
use crate::authorization_server::ServerState;
use crate::error_page::AuthorizePageError;
use crate::form::{self, Form};
use crate::resource_owner::User;
use crate::store::ClientRow;
use error::{AuthorizeError, AuthorizeResult, ClientRedirect};
use pending::Pending;
use request::AuthorizationRequest;

/// `GET` begins an authorization request or resumes one after the login; `POST` brings the user's
/// decision. Other methods are refused: `HEAD`, which axum would handle as `GET`, must issue no code.
pub(super) async fn authorize(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> Response {
    let (request, body) = request.into_parts();
    let response = match request.method {
        Method::GET => begin_or_resume(&state, &request).await,
        Method::POST => receive_decision(&state, &request, body).await,
        _ => Err(AuthorizePageError::MethodNotAllowed.into()),
    };
    match response {
        Ok(response) => response,
        Err(AuthorizeError::Redirect(_, error))
            if !consent::is_logged_in(&state, &request).await =>
        {
            AuthorizePageError::of_error(error).page()
        }
        Err(error) => error.into_response(),
    }
}

async fn begin_or_resume(state: &ServerState, request: &Parts) -> AuthorizeResult {
    state.limits.check_address(&request.extensions)?;
    // Not checked yet: a request that resumes ignores all other parameters, and for a new one the
    // client comes first.
    let form = Form::parse(request.uri.query().unwrap_or_default());
    let (pending, user) = match form.get("pending") {
        Ok(Some(id)) => {
            let pending = pending::find(state, id).await?;
            // From here on errors can be sent to the client, whose redirect URI `find` has
            // validated again.
            let redirect = pending.redirect(state);
            let user = consent::logged_in_user(state, request, &redirect).await?;
            (pending, user)
        }
        _ => begin(state, request, &form).await?,
    };
    match user {
        Some(user) => consent::request_consent(state, request, pending, user).await,
        None => consent::login(state, request, &pending).await,
    }
}

/// Validates a new authorization request and stores it as pending.
async fn begin(
    state: &ServerState,
    request: &Parts,
    form: &Form,
) -> Result<(Pending, Option<User>), AuthorizeError> {
    let (client, redirect) = client_and_redirect(state, form).await?;
    // All that follows has a redirect for its errors.
    let authorization = AuthorizationRequest::read(state, &client, form);
    let authorization =
        authorization.map_err(|error| AuthorizeError::Redirect(redirect.clone(), error))?;
    let user = consent::logged_in_user(state, request, &redirect).await?;
    // Stored before the login, which leaves this service: the URL to return to names the row alone.
    let stored = pending::store(state, client, &redirect, authorization, user.is_some()).await;
    let pending = stored.map_err(|error| AuthorizeError::for_client(error, redirect))?;
    Ok((pending, user))
}

/// The client and its redirect URI. They are validated before anything else, because errors of all
/// other parameters are sent to that redirect URI (RFC 6749, section 4.1.2.1).
async fn client_and_redirect(
    state: &ServerState,
    form: &Form,
) -> Result<(ClientRow, ClientRedirect), AuthorizeError> {
    let Ok(Some(id)) = form.get("client_id") else {
        return Err(AuthorizePageError::UnknownClient.into());
    };
    let client = find_client(state, id).await?;
    let client = client.ok_or(AuthorizePageError::UnknownClient)?;
    // A repeated parameter counts as none: which of them the client meant is unknown.
    let redirect_uri = form.get("redirect_uri").ok().flatten();
    let redirect_uri = redirect_uri.filter(|uri| client.has_redirect_uri(uri));
    let redirect = ClientRedirect {
        redirect_uri: redirect_uri
            .ok_or(AuthorizePageError::UnknownRedirect)?
            .to_owned(),
        // An invalid `state` is not echoed; `AuthorizationRequest::read` reports it.
        state: request::state_parameter(form).ok().flatten(),
        issuer: state.issuer.clone(),
    };
    Ok((client, redirect))
}

async fn receive_decision(state: &ServerState, request: &Parts, body: Body) -> AuthorizeResult {
    state.limits.check_address(&request.extensions)?;
    let form = form::read(request, body).await;
    // A body that is no valid form is not from the consent page. One that did not arrive gets the same page.
    let form = form.map_err(|_| AuthorizePageError::ForgedConsent)?;
    let Ok(Some(id)) = form.get("pending") else {
        return Err(AuthorizePageError::Gone.into());
    };
    let pending = pending::find(state, id).await?;
    // The decision is checked against the request as stored, never against fields of the form.
    decision::handle_decision(state, request, pending, &form).await
}

//! `/oauth/authorize`: a client sends its user here, who logs in, consents and is sent back.
//!
//! Nothing leads to the client before it is known that this is where it is. Nor is anybody sent there
//! who is not logged in: anybody can make a link to this address with a mistake in it, which would
//! then be one to the client's (RFC 9700, section 4.11.2).

mod consent;
mod decision;
mod outcome;
mod pending;
mod request;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;

use crate::authenticate::find;
use crate::authorization_server::ServerState;
use crate::error_page::AuthorizePageError;
use crate::error_response::Problem;
use crate::form::{self, Form};
use crate::resource_owner::User;
use crate::store::ClientRow;
use outcome::{Back, Outcome};
use pending::Pending;
use request::AuthorizationRequest;

/// `GET`: a new request, or one that goes on after the login; `POST`: what the user decided.
/// Nothing else: who only looks, as with `HEAD`, gets no code.
pub(super) async fn authorize(
    State(state): State<Arc<ServerState>>,
    request: Request<Body>,
) -> Response {
    let (request, body) = request.into_parts();
    let outcome = match request.method {
        Method::GET => begin_or_go_on(&state, &request).await,
        Method::POST => decided(&state, &request, body).await,
        _ => Err(Outcome::AuthorizePageError(AuthorizePageError::Method)),
    };
    match outcome {
        Ok(answer) => answer,
        Err(Outcome::Back(_, error)) if !consent::is_logged_in(&state, &request).await => {
            AuthorizePageError::of_error(error).page()
        }
        Err(outcome) => outcome.into_response(),
    }
}

async fn begin_or_go_on(state: &ServerState, request: &Parts) -> Result<Response, Outcome> {
    state.limits.check_address(&request.extensions)?;
    let form = Form::parse(request.uri.query().unwrap_or_default());
    let (pending, user) = match form.get("pending") {
        Ok(Some(id)) => {
            let pending = pending::find(state, id).await?;
            let user = consent::current(state, request, &pending.back(state)).await?;
            (pending, user)
        }
        _ => new(state, request, &form).await?,
    };
    match user {
        Some(user) => consent::ask(state, request, pending, user).await,
        None => consent::login(state, request, &pending).await,
    }
}

async fn new(
    state: &ServerState,
    request: &Parts,
    form: &Form,
) -> Result<(Pending, Option<User>), Outcome> {
    let (client, back) = client_and_way_back(state, form).await?;
    let asked = AuthorizationRequest::read(state, &client, form);
    let asked = asked.map_err(|error| Outcome::Back(back.clone(), error))?;
    let user = consent::current(state, request, &back).await?;
    let stored = pending::store(state, client, &back, asked, user.is_some()).await;
    let pending = stored.map_err(|problem| Outcome::of_problem(problem, back))?;
    Ok((pending, user))
}

/// Who asks, and where its user is sent back to: before anything else.
async fn client_and_way_back(
    state: &ServerState,
    form: &Form,
) -> Result<(ClientRow, Back), Outcome> {
    let unknown = Outcome::AuthorizePageError(AuthorizePageError::UnknownClient);
    let Ok(Some(id)) = form.get("client_id") else {
        return Err(unknown);
    };
    let client = find(state, id).await?.ok_or(unknown)?;
    let asked = form.get("redirect_uri").ok().flatten();
    let asked = asked.filter(|asked| client.is_at(asked));
    let asked = asked.ok_or(Outcome::AuthorizePageError(
        AuthorizePageError::UnknownRedirect,
    ))?;
    let back = Back {
        redirect_uri: asked.to_owned(),
        state: request::state_parameter(form).ok().flatten(),
        issuer: state.issuer.clone(),
    };
    Ok((client, back))
}

async fn decided(state: &ServerState, request: &Parts, body: Body) -> Result<Response, Outcome> {
    state.limits.check_address(&request.extensions)?;
    let form = form::read(request, body).await;
    let form =
        form.map_err(|_: Problem| Outcome::AuthorizePageError(AuthorizePageError::Forged))?;
    let Ok(Some(id)) = form.get("pending") else {
        return Err(Outcome::AuthorizePageError(AuthorizePageError::Gone));
    };
    let pending = pending::find(state, id).await?;
    decision::handle_decision(state, request, pending, &form).await
}

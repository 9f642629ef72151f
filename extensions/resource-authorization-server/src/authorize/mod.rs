//! `/oauth/authorize`: a client sends its user here, who logs in, consents and is sent back.
//!
//! Nothing leads to the client before it is known that this is where it is. Nor is anybody sent there
//! who is not logged in: anybody can make a link to this address with a mistake in it, which would
//! then be one to the client's (RFC 9700, section 4.11.2).

mod asked;
mod consent;
mod decision;
mod outcome;
mod pending;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;

use crate::answer::Problem;
use crate::authenticate::find;
use crate::authorization_server::Shared;
use crate::form::{self, Form};
use crate::owner::User;
use crate::page::Stop;
use crate::store::ClientRow;
use asked::Asked;
use outcome::{Back, Outcome};
use pending::Pending;

/// `GET`: a new request, or one that goes on after the login; `POST`: what the user decided.
/// Nothing else: who only looks, as with `HEAD`, gets no code.
pub(super) async fn authorize(
    State(shared): State<Arc<Shared>>,
    request: Request<Body>,
) -> Response {
    let (request, body) = request.into_parts();
    let outcome = match request.method {
        Method::GET => begin_or_go_on(&shared, &request).await,
        Method::POST => decided(&shared, &request, body).await,
        _ => Err(Outcome::Stop(Stop::Method)),
    };
    match outcome {
        Ok(answer) => answer,
        Err(Outcome::Back(_, error)) if !consent::is_logged_in(&shared, &request).await => {
            Stop::of_error(error).page()
        }
        Err(outcome) => outcome.into_response(),
    }
}

async fn begin_or_go_on(shared: &Shared, request: &Parts) -> Result<Response, Outcome> {
    shared.limits.check_address(&request.extensions)?;
    let form = Form::parse(request.uri.query().unwrap_or_default());
    let (pending, user) = match form.get("pending") {
        Ok(Some(id)) => {
            let pending = pending::find(shared, id).await?;
            let user = consent::current(shared, request, &pending.back(shared)).await?;
            (pending, user)
        }
        _ => new(shared, request, &form).await?,
    };
    match user {
        Some(user) => consent::ask(shared, request, pending, user).await,
        None => consent::login(shared, request, &pending).await,
    }
}

async fn new(
    shared: &Shared,
    request: &Parts,
    form: &Form,
) -> Result<(Pending, Option<User>), Outcome> {
    let (client, back) = client_and_way_back(shared, form).await?;
    let asked = Asked::read(shared, &client, form);
    let asked = asked.map_err(|error| Outcome::Back(back.clone(), error))?;
    let user = consent::current(shared, request, &back).await?;
    let stored = pending::store(shared, client, &back, asked, user.is_some()).await;
    let pending = stored.map_err(|problem| Outcome::of_problem(problem, back))?;
    Ok((pending, user))
}

/// Who asks, and where its user is sent back to: before anything else.
async fn client_and_way_back(shared: &Shared, form: &Form) -> Result<(ClientRow, Back), Outcome> {
    let unknown = Outcome::Stop(Stop::UnknownClient);
    let Ok(Some(id)) = form.get("client_id") else {
        return Err(unknown);
    };
    let client = find(shared, id).await?.ok_or(unknown)?;
    let asked = form.get("redirect_uri").ok().flatten();
    let asked = asked.filter(|asked| client.is_at(asked));
    let asked = asked.ok_or(Outcome::Stop(Stop::UnknownRedirect))?;
    let back = Back {
        redirect_uri: asked.to_owned(),
        state: asked::state(form).ok().flatten(),
        issuer: shared.issuer.clone(),
    };
    Ok((client, back))
}

async fn decided(shared: &Shared, request: &Parts, body: Body) -> Result<Response, Outcome> {
    shared.limits.check_address(&request.extensions)?;
    let form = form::read(request, body).await;
    let form = form.map_err(|_: Problem| Outcome::Stop(Stop::Forged))?;
    let Ok(Some(id)) = form.get("pending") else {
        return Err(Outcome::Stop(Stop::Gone));
    };
    let pending = pending::find(shared, id).await?;
    decision::take(shared, request, pending, &form).await
}

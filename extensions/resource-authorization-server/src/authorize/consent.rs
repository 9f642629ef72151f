use axum::http::request::Parts;
use axum::response::Response;
use resource_oauth2::issuing::keyed_digest;

use super::decision;
use super::outcome::{Back, Outcome};
use super::pending::{self, Pending};
use crate::access_token::CLIENT_PREFIX;
use crate::authorization_server::ServerState;
use crate::client::{form_action, is_on_device};
use crate::encoding;
use crate::error_page::protected;
use crate::resource_owner::{Consent, ConsentPrompt, Csrf, OwnerError, User};

/// A longer name would make tokens that our own verifiers do not take.
const LONGEST_SUBJECT: usize = 255;

/// Lets the user consent.
pub(super) async fn ask(
    state: &ServerState,
    request: &Parts,
    pending: Pending,
    user: User,
) -> Result<Response, Outcome> {
    let pending = pending::with_user(state, pending).await?;
    let pending = decision::limit_scopes_to_user(state, pending, &user).await?;
    let prompt = ConsentPrompt {
        pending: pending.shown(),
        must_ask: must_ask(&pending),
        csrf: Csrf(csrf(&pending, &user)),
        user: user.clone(),
    };
    let consent = state.host.consent(request, prompt).await;
    match consent.map_err(|cause| failed(&cause, pending.back(state)))? {
        Consent::Ask(page) => Ok(with_way_back(page, &pending)),
        Consent::Granted if must_ask(&pending) => {
            let cause =
                "the host granted unasked what only a user may; see `ConsentPrompt::must_ask`";
            Err(Outcome::failed(cause, pending.back(state)))
        }
        Consent::Granted => decision::granted(state, pending, &user).await,
        Consent::Denied => decision::denied(state, pending).await,
    }
}

/// Whether anybody could have sent the user, in the name of the client (RFC 8252, section 8.6).
fn must_ask(pending: &Pending) -> bool {
    !pending.client.is_confidential() && is_on_device(&pending.row.redirect_uri)
}

/// Who is logged in.
pub(super) async fn current(
    state: &ServerState,
    request: &Parts,
    back: &Back,
) -> Result<Option<User>, Outcome> {
    let user = state.host.current(request).await;
    let user = user.map_err(|cause| failed(&cause, back.clone()))?;
    if user.as_ref().is_some_and(|user| !is_subject(&user.subject)) {
        let cause = "the host has a user whose name is that of a client, longer than 255 bytes, or illegible";
        return Err(Outcome::failed(cause, back.clone()));
    }
    Ok(user)
}

/// Tests that somebody is logged in, for a request that ends in an error.
pub(super) async fn is_logged_in(state: &ServerState, request: &Parts) -> bool {
    let user = state.host.current(request).await;
    let user = user.inspect_err(|cause| {
        tracing::warn!(%cause, "the host cannot say who is logged in");
    });
    user.is_ok_and(|user| user.is_some())
}

/// A user who is called like a client would own what is the client's.
fn is_subject(subject: &str) -> bool {
    let legible = !subject.chars().any(char::is_control);
    let short = (1..=LONGEST_SUBJECT).contains(&subject.len());
    legible && short && !subject.starts_with(CLIENT_PREFIX)
}

pub(super) async fn login(
    state: &ServerState,
    request: &Parts,
    pending: &Pending,
) -> Result<Response, Outcome> {
    let page = state.host.login(request, pending.shown()).await;
    let page = page.map_err(|cause| failed(&cause, pending.back(state)))?;
    Ok(with_way_back(page, pending))
}

fn with_way_back(page: Response, pending: &Pending) -> Response {
    let way_back = form_action(&pending.row.redirect_uri);
    protected(page, &format!("'self' {way_back}"))
}

fn failed(cause: &OwnerError, back: Back) -> Outcome {
    let cause = format!("the host failed: {cause}");
    Outcome::failed(&cause, back)
}

/// What only a page that was shown in this session, to this user, for these scopes can send back.
pub(super) fn csrf(pending: &Pending, user: &User) -> String {
    let scope = pending.row.scope.as_str();
    let shown = format!("{}\0{}\0{scope}", user.session, user.subject);
    let digest = keyed_digest(&pending.row.consent_key, shown.as_bytes());
    encoding::encode(&digest)
}

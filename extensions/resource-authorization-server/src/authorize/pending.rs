use std::sync::atomic::Ordering;

use resource_oauth2::issuing::random;
use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::outcome::{Back, Outcome};
use super::request::AuthorizationRequest;
use crate::authenticate::find as find_client;
use crate::authorization_server::ServerState;
use crate::client::NO_SCOPE;
use crate::encoding::{hash, is_base64url, secret};
use crate::error_page::AuthorizePageError;
use crate::error_response::Problem;
use crate::resource_owner::PendingRequest;
use crate::store::{ClientRow, RequestRow, RequestRowField};

/// How many seconds a user may take to log in and consent.
const LIFETIME: i64 = 10 * 60;

/// So many requests wait for their users: anybody can send one, and nobody needs to log in for it.
const MOST: i64 = 10_000;

/// After so many new ones it is seen to that there are no more, which looks at all of them.
const LOOKED_AFTER: u64 = 100;

/// A request that is stored while its user logs in and consents.
pub(super) struct Pending {
    /// The secret that the user's browser has; its digest is stored.
    pub(super) id: String,
    pub(super) row: RequestRow,
    pub(super) client: ClientRow,
}

impl Pending {
    pub(super) fn back(&self, state: &ServerState) -> Back {
        Back {
            redirect_uri: self.row.redirect_uri.clone(),
            state: self.row.state.clone(),
            issuer: state.issuer.clone(),
        }
    }

    /// What the host may know of it.
    pub(super) fn shown(&self) -> PendingRequest {
        PendingRequest {
            id: self.id.clone(),
            client_id: self.client.id.clone(),
            client_name: self.client.name.clone(),
            redirect_uri: self.row.redirect_uri.clone(),
            scopes: self.row.scope.scopes(),
        }
    }
}

pub(super) async fn store(
    state: &ServerState,
    client: ClientRow,
    back: &Back,
    asked: AuthorizationRequest,
    is_logged_in: bool,
) -> Result<Pending, Problem> {
    let id = secret()?;
    let row = RequestRow {
        id_hash: hash(&id),
        client_id: client.id.clone(),
        redirect_uri: back.redirect_uri.clone(),
        scope: asked.scope,
        state: back.state.clone(),
        resource: state.resource.clone(),
        challenge: asked.challenge,
        consent_key: if is_logged_in {
            consent_key()?
        } else {
            Vec::new()
        },
        expires_at: state.now().saturating_add(LIFETIME),
    };
    state.store.insert(&row).await?;
    let stored = state.requests.fetch_add(1, Ordering::Relaxed);
    if stored % LOOKED_AFTER == LOOKED_AFTER - 1 {
        // Before others those go whose user is not logged in.
        let (mark, newest) = (RequestRowField::ConsentKey, RequestRowField::ExpiresAt);
        let thinned = state.store.delete_beyond::<RequestRow>(mark, newest, MOST);
        if let Err(failure) = thinned.await {
            let cause = failure.to_string();
            tracing::warn!(cause, "authorization requests could not be thinned out");
        }
    }
    Ok(Pending { id, row, client })
}

fn consent_key() -> Result<Vec<u8>, String> {
    random::<32>().map(|key| key.to_vec())
}

/// The request once its user is logged in, who can be asked from now on.
pub(super) async fn with_user(
    state: &ServerState,
    mut pending: Pending,
) -> Result<Pending, Outcome> {
    if !pending.row.consent_key.is_empty() {
        return Ok(pending);
    }
    let back = pending.back(state);
    let key = Keying {
        id_hash: &pending.row.id_hash,
        consent_key: consent_key()
            .map_err(|cause| Outcome::of_problem(cause.into(), back.clone()))?,
    };
    let known = state.store.perform(&key).await;
    let known = known.map_err(|failure| Outcome::of_problem(failure.into(), back))?;
    pending.row.consent_key = known.ok_or(Outcome::AuthorizePageError(AuthorizePageError::Gone))?;
    Ok(pending)
}

/// Gives a request a key, unless it got one meanwhile; answers which it has.
struct Keying<'request> {
    id_hash: &'request str,
    consent_key: Vec<u8>,
}

impl TransactionScript for Keying<'_> {
    type Outcome = Option<Vec<u8>>;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Self::Outcome, Error> {
        let row: Option<RequestRow> = transaction.get_for_update(self.id_hash).await?;
        let Some(mut row) = row else {
            return Ok(None);
        };
        if row.consent_key.is_empty() {
            row.consent_key.clone_from(&self.consent_key);
            transaction.update(&row).await?;
        }
        Ok(Some(row.consent_key))
    }
}

pub(super) async fn find(state: &ServerState, id: &str) -> Result<Pending, Outcome> {
    let gone = || Outcome::AuthorizePageError(AuthorizePageError::Gone);
    if !is_base64url(id) {
        return Err(gone());
    }
    let row = state.store.get::<RequestRow>(&hash(id)).await;
    let row = row.map_err(Problem::from)?;
    let row = row.filter(|row| state.now() < row.expires_at);
    let row = row.ok_or_else(gone)?;
    let client = find_client(state, &row.client_id).await?;
    let client = client.ok_or(Outcome::AuthorizePageError(
        AuthorizePageError::UnknownClient,
    ))?;
    let id = id.to_owned();
    still_permitted(state, Pending { id, row, client })
}

/// The client may have been changed since it asked.
fn still_permitted(state: &ServerState, mut pending: Pending) -> Result<Pending, Outcome> {
    let Pending { row, client, .. } = &mut pending;
    if !client.is_at(&row.redirect_uri) {
        return Err(Outcome::AuthorizePageError(
            AuthorizePageError::UnknownRedirect,
        ));
    }
    row.scope = client.scopes_left(&row.scope);
    if row.scope.is_empty() {
        return Err(Outcome::Back(pending.back(state), NO_SCOPE));
    }
    Ok(pending)
}

use std::sync::atomic::Ordering;

use resource_oauth2::issuing::random;
use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::asked::Asked;
use super::outcome::{Back, Outcome};
use crate::answer::Problem;
use crate::authenticate::find as find_client;
use crate::authorization_server::Shared;
use crate::client::NO_SCOPE;
use crate::owner::PendingRequest;
use crate::page::Stop;
use crate::store::{ClientRow, RequestRow, RequestRowField};
use crate::text::{hash, is_base64url, secret};

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
    pub(super) fn back(&self, shared: &Shared) -> Back {
        Back {
            redirect_uri: self.row.redirect_uri.clone(),
            state: self.row.state.clone(),
            issuer: shared.issuer.clone(),
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
    shared: &Shared,
    client: ClientRow,
    back: &Back,
    asked: Asked,
    is_logged_in: bool,
) -> Result<Pending, Problem> {
    let id = secret()?;
    let row = RequestRow {
        id_hash: hash(&id),
        client_id: client.id.clone(),
        redirect_uri: back.redirect_uri.clone(),
        scope: asked.scope,
        state: back.state.clone(),
        resource: shared.resource.clone(),
        challenge: asked.challenge,
        consent_key: if is_logged_in {
            consent_key()?
        } else {
            Vec::new()
        },
        expires_at: shared.now().saturating_add(LIFETIME),
    };
    shared.store.insert(&row).await?;
    let stored = shared.requests.fetch_add(1, Ordering::Relaxed);
    if stored % LOOKED_AFTER == LOOKED_AFTER - 1 {
        // Before others those go whose user is not logged in.
        let (mark, newest) = (RequestRowField::ConsentKey, RequestRowField::ExpiresAt);
        let thinned = shared.store.delete_beyond::<RequestRow>(mark, newest, MOST);
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
pub(super) async fn with_user(shared: &Shared, mut pending: Pending) -> Result<Pending, Outcome> {
    if !pending.row.consent_key.is_empty() {
        return Ok(pending);
    }
    let back = pending.back(shared);
    let key = Keying {
        id_hash: &pending.row.id_hash,
        consent_key: consent_key()
            .map_err(|cause| Outcome::of_problem(cause.into(), back.clone()))?,
    };
    let known = shared.store.perform(&key).await;
    let known = known.map_err(|failure| Outcome::of_problem(failure.into(), back))?;
    pending.row.consent_key = known.ok_or(Outcome::Stop(Stop::Gone))?;
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

pub(super) async fn find(shared: &Shared, id: &str) -> Result<Pending, Outcome> {
    let gone = || Outcome::Stop(Stop::Gone);
    if !is_base64url(id) {
        return Err(gone());
    }
    let row = shared.store.get::<RequestRow>(&hash(id)).await;
    let row = row.map_err(Problem::from)?;
    let row = row.filter(|row| shared.now() < row.expires_at);
    let row = row.ok_or_else(gone)?;
    let client = find_client(shared, &row.client_id).await?;
    let client = client.ok_or(Outcome::Stop(Stop::UnknownClient))?;
    let id = id.to_owned();
    still_permitted(shared, Pending { id, row, client })
}

/// The client may have been changed since it asked.
fn still_permitted(shared: &Shared, mut pending: Pending) -> Result<Pending, Outcome> {
    let Pending { row, client, .. } = &mut pending;
    if !client.is_at(&row.redirect_uri) {
        return Err(Outcome::Stop(Stop::UnknownRedirect));
    }
    row.scope = client.scopes_left(&row.scope);
    if row.scope.is_empty() {
        return Err(Outcome::Back(pending.back(shared), NO_SCOPE));
    }
    Ok(pending)
}

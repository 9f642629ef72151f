use super::super::answer::Problem;
use super::super::authenticate::find as find_client;
use super::super::client::NO_SCOPE;
use super::super::owner::PendingRequest;
use super::super::page::Stop;
use super::super::shared::Shared;
use super::super::store::{ClientRow, RequestRow};
use super::super::text::{hash, is_base64url, secret};
use super::asked::Asked;
use super::outcome::{Back, Outcome};
use crate::oauth2::crypto::random;

/// How many seconds a user may take to log in and consent.
const LIFETIME: i64 = 10 * 60;

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
        consent_key: random::<32>()?.to_vec(),
        expires_at: shared.now().saturating_add(LIFETIME),
    };
    shared.store.insert(&row).await?;
    Ok(Pending { id, row, client })
}

pub(super) async fn find(shared: &Shared, id: &str) -> Result<Pending, Outcome> {
    let gone = || Outcome::Stop(Stop::Gone);
    if !is_base64url(id) {
        return Err(gone());
    }
    let row = shared.store.read::<RequestRow>(&hash(id)).await;
    let row = row.map_err(Problem::from)?;
    let row = row
        .filter(|row| shared.now() < row.expires_at)
        .ok_or_else(gone)?;
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

//! Pending authorization requests: stored while their users log in and consent.

use std::sync::atomic::Ordering;

use resource_oauth2::issuing::random;
use resource_runtime::{Error, Transaction};

use super::error::{AuthorizeError, ClientRedirect};
use super::request::AuthorizationRequest;
use crate::authenticate::find_client;
use crate::authorization_server::ServerState;
use crate::client::NO_SCOPE;
use crate::encoding::{hash, is_base64url, secret};
use crate::error_page::AuthorizePageError;
use crate::error_response::EndpointError;
use crate::resource_owner::PendingRequest;
use crate::store::{ClientRow, RequestRow, TransactionScript};

/// Seconds that a user has to log in and consent.
const LIFETIME: i64 = 10 * 60;

/// Bound on stored requests: anybody can send one without a login, so nothing else bounds the table.
const MAX_PENDING: u64 = 10_000;

/// Requests that one trim deletes of a kind, more than are stored between two trims.
const MAX_TRIM: u64 = 1000;

/// Requests between two trims of the table, because a trim reads all its rows.
const TRIM_INTERVAL: u64 = 100;

/// A pending authorization request and its client.
pub(super) struct Pending {
    /// Secret in the URLs and forms of the user's browser; the database holds its digest alone.
    pub(super) id: String,
    pub(super) row: RequestRow,
    pub(super) client: ClientRow,
}

impl Pending {
    pub(super) fn redirect(&self, state: &ServerState) -> ClientRedirect {
        ClientRedirect {
            redirect_uri: self.row.redirect_uri.clone(),
            state: self.row.state.clone(),
            issuer: state.issuer.clone(),
        }
    }

    /// The part of the request that the host may know.
    pub(super) fn for_host(&self) -> PendingRequest {
        PendingRequest {
            id: self.id.clone(),
            client_id: self.client.id.clone(),
            client_name: self.client.name.clone(),
            redirect_uri: self.row.redirect_uri.clone(),
            scopes: self.row.scope.scopes(),
        }
    }
}

/// Stores a validated authorization request; now and then it trims the table.
pub(super) async fn store(
    state: &ServerState,
    client: ClientRow,
    redirect: &ClientRedirect,
    request: AuthorizationRequest,
    is_logged_in: bool,
) -> Result<Pending, EndpointError> {
    let id = secret()?;
    // The key also marks the requests of real users for the trim below.
    let consent_key = is_logged_in.then(new_consent_key).transpose()?;
    let row = RequestRow {
        id_hash: hash(&id),
        client_id: client.id.clone(),
        redirect_uri: redirect.redirect_uri.clone(),
        scope: request.scope,
        state: redirect.state.clone(),
        resource: state.resource.clone(),
        challenge: request.challenge,
        consent_key: consent_key.unwrap_or_default(),
        expires_at: state.now().saturating_add(LIFETIME),
    };
    state.api.items().insert(row.clone()).await?;
    // `Relaxed`: the counter orders nothing, it only spreads the trims.
    let stored = state.stored_requests.fetch_add(1, Ordering::Relaxed);
    if stored % TRIM_INTERVAL == TRIM_INTERVAL - 1 {
        // The request itself is stored; a later trim makes up for this one.
        if let Err(error) = trim(state).await {
            let cause = error.to_string();
            tracing::warn!(cause, "pending authorization requests could not be trimmed");
        }
    }
    Ok(Pending { id, row, client })
}

/// Deletes the oldest requests beyond [`MAX_PENDING`]. Those without a consent key, whose user has not logged in, come
/// first: a flood of anonymous requests must not evict those of real users.
async fn trim(state: &ServerState) -> Result<(), Error> {
    let requests = state.api.items::<RequestRow>();
    let mut beyond = requests.count().await?.saturating_sub(MAX_PENDING);
    if beyond == 0 {
        return Ok(());
    }
    let anonymous = RequestRow::CONSENT_KEY.eq(Vec::new());
    for kind in [anonymous.clone(), !anonymous] {
        let oldest = requests
            .filter(kind.clone())
            .order_by(RequestRow::EXPIRES_AT.asc());
        let oldest = oldest
            .limit(beyond.min(MAX_TRIM))
            .select(RequestRow::ID_HASH);
        let oldest = oldest.all().await?;
        // A full batch may leave requests of this kind behind, which the next trim deletes before those of the other.
        let is_full = u64::try_from(oldest.len()).is_ok_and(|number| number >= MAX_TRIM);
        // A user who logged in meanwhile keeps the request.
        let oldest = RequestRow::ID_HASH.is_in(oldest).and(kind);
        let trimmed = requests.without_hooks().filter(oldest).delete_all().await?;
        beyond = beyond.saturating_sub(trimmed);
        if is_full || beyond == 0 {
            break;
        }
    }
    Ok(())
}

fn new_consent_key() -> Result<Vec<u8>, String> {
    random::<32>().map(|key| key.to_vec())
}

/// The request with a consent key, which it gets once its user is logged in and can be asked.
pub(super) async fn with_consent_key(
    state: &ServerState,
    mut pending: Pending,
) -> Result<Pending, AuthorizeError> {
    // Most users have their key from `store` or an earlier page, which saves the transaction.
    if !pending.row.consent_key.is_empty() {
        return Ok(pending);
    }
    let for_client =
        |error: EndpointError| AuthorizeError::for_client(error, pending.redirect(state));
    let script = SetConsentKey {
        id_hash: &pending.row.id_hash,
        // Drawn outside of the transaction, which may be retried as a whole.
        consent_key: new_consent_key().map_err(|cause| for_client(cause.into()))?,
    };
    let stored = state.perform(&script).await;
    let stored = stored.map_err(|error| for_client(error.into()))?;
    pending.row.consent_key = stored.ok_or(AuthorizePageError::Gone)?;
    Ok(pending)
}

/// Sets the consent key of a pending request unless it has one; the outcome is the key in the row.
/// Two windows of one user then get the same key, so that the forms of both stay valid.
struct SetConsentKey<'request> {
    id_hash: &'request str,
    consent_key: Vec<u8>,
}

impl TransactionScript for SetConsentKey<'_> {
    type Outcome = Option<Vec<u8>>;

    async fn run(&self, transaction: &mut Transaction) -> Result<Self::Outcome, Error> {
        let requests = transaction.items::<RequestRow>();
        // Another window has settled the request meanwhile.
        let Some(row) = requests.get_for_update(self.id_hash).await? else {
            return Ok(None);
        };
        if !row.consent_key.is_empty() {
            return Ok(Some(row.consent_key));
        }
        let (requests, key) = (transaction.items::<RequestRow>(), &self.consent_key);
        requests
            .update(self.id_hash)
            .set(RequestRow::CONSENT_KEY, key)
            .await?;
        Ok(Some(key.clone()))
    }
}

/// The pending request of this id, checked against its client as it is registered now.
pub(super) async fn find(state: &ServerState, id: &str) -> Result<Pending, AuthorizeError> {
    // A text that cannot be one of our ids costs no query.
    if !is_base64url(id) {
        return Err(AuthorizePageError::Gone.into());
    }
    let row = state.api.items::<RequestRow>().get(hash(id)).await?;
    let row = row.filter(|row| state.now() < row.expires_at);
    let mut row = row.ok_or(AuthorizePageError::Gone)?;
    let client = find_client(state, &row.client_id).await?;
    // A client that was disabled meanwhile is unknown.
    let client = client.ok_or(AuthorizePageError::UnknownClient)?;
    // The client may have lost the redirect URI or scopes since it sent the request.
    if !client.has_redirect_uri(&row.redirect_uri) {
        return Err(AuthorizePageError::UnknownRedirect.into());
    }
    row.scope = client.limit_scopes(&row.scope);
    let id = id.to_owned();
    let pending = Pending { id, row, client };
    // The redirect URI is still valid, so the client learns that no scope is left.
    if pending.row.scope.is_empty() {
        return Err(AuthorizeError::Redirect(pending.redirect(state), NO_SCOPE));
    }
    Ok(pending)
}

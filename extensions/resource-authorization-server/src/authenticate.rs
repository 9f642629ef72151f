use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::authorization_server::ServerState;
use crate::client::is_id;
use crate::encoding::is_hashed;
use crate::error_response::{OauthError, Problem};
use crate::form::{Form, decode};
use crate::limits::caller;
use crate::store::{ClientKind, ClientRow};

/// Compared with where there is nothing to compare with, so that this takes no less time.
const NO_HASH: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What a client said of itself.
struct Credentials {
    id: String,
    secret: Option<String>,
    by_header: bool,
}

/// The client that sent a request (RFC 6749, section 2.3).
pub(super) async fn authenticate(
    state: &ServerState,
    request: &Parts,
    form: &Form,
) -> Result<ClientRow, Problem> {
    let given = credentials(&request.headers, form)?;
    let (limits, extensions) = (&state.limits, &request.extensions);
    limits.check_failures(&given.id, extensions)?;
    let client = find(state, &given.id).await?;
    let proven = proves(client.as_ref(), given.secret.as_deref());
    if proven && let Some(client) = client {
        return Ok(client);
    }
    // Who is not known may be called by a secret that stands in the wrong place.
    let client = client.map(|client| client.id);
    let address = caller(extensions);
    tracing::warn!(client, ?address, "a client was not authenticated");
    limits.count_failure(&given.id, extensions);
    let by_header = given.by_header;
    Err(Problem::NotAuthenticated { by_header })
}

/// A client that is registered and was not disabled.
pub(super) async fn find(state: &ServerState, id: &str) -> Result<Option<ClientRow>, Problem> {
    if !is_id(id) {
        return Ok(None);
    }
    let client = state.store.get::<ClientRow>(id).await?;
    Ok(client.filter(|client| client.disabled_at.is_none()))
}

/// The digest is computed and compared whoever it is.
fn proves(client: Option<&ClientRow>, secret: Option<&str>) -> bool {
    let stored = client.and_then(|client| client.secret_hash.as_deref());
    let is_right = is_hashed(secret.unwrap_or_default(), stored.unwrap_or(NO_HASH));
    match client.map(|client| client.kind) {
        Some(ClientKind::Confidential) => is_right && stored.is_some(),
        Some(ClientKind::Public) => secret.is_none(),
        None => false,
    }
}

fn credentials(headers: &HeaderMap, form: &Form) -> Result<Credentials, Problem> {
    let id = form.get("client_id")?;
    let secret = form.get("client_secret")?;
    let mut authorizations = headers.get_all(header::AUTHORIZATION).into_iter();
    let by_header = match (authorizations.next(), authorizations.next()) {
        (None, _) => None,
        (Some(value), None) => Some(basic(value)?),
        (Some(_), Some(_)) => return Err(TWO_METHODS.into()),
    };
    match (by_header, id) {
        (Some(_), _) if secret.is_some() => Err(TWO_METHODS.into()),
        (Some(basic), Some(id)) if basic.id != id => Err(TWO_METHODS.into()),
        (Some(basic), _) => Ok(basic),
        (None, Some(id)) => Ok(Credentials {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            by_header: false,
        }),
        (None, None) => Err(Problem::NotAuthenticated { by_header: false }),
    }
}

const TWO_METHODS: OauthError =
    OauthError::invalid_request("the client is named in two ways; name it in one");

/// Each part was encoded as in a form before they were joined, which our alphabet bears.
fn basic(value: &HeaderValue) -> Result<Credentials, Problem> {
    let read = || {
        let (scheme, encoded) = value.to_str().ok()?.split_once(' ')?;
        let decoded = STANDARD.decode(encoded.trim()).ok()?;
        let decoded = String::from_utf8(decoded).ok()?;
        let (id, secret) = decoded.split_once(':')?;
        let (id, secret) = (decode(id)?, decode(secret)?);
        let is_basic = scheme.eq_ignore_ascii_case("basic");
        (is_basic && !secret.is_empty()).then_some(Credentials {
            id,
            secret: Some(secret),
            by_header: true,
        })
    };
    read().ok_or(Problem::NotAuthenticated { by_header: true })
}

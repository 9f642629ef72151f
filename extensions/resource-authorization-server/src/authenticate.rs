//! Client authentication (RFC 6749, section 2.3).

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use resource_runtime::Error;

use crate::authorization_server::ServerState;
use crate::client::is_id;
use crate::encoding::matches_hash;
use crate::error_response::{EndpointError, OauthError};
use crate::form::{Form, decode};
use crate::limits::caller_address;
use crate::store::{ClientKind, ClientRow};

/// Digest to compare with where no client or secret is stored, so that this takes no less time.
const DUMMY_HASH: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Credentials of a request, not yet verified.
struct Credentials {
    id: String,
    secret: Option<String>,
    by_header: bool,
}

/// The authenticated client of a request; a public client has nothing to prove.
pub(super) async fn authenticate(
    state: &ServerState,
    request: &Parts,
    form: &Form,
) -> Result<ClientRow, EndpointError> {
    let given = credentials(&request.headers, form)?;
    let (limits, extensions) = (&state.limits, &request.extensions);
    // The throttle comes first, so that guessing costs no query; it does not ask whether the client
    // exists.
    limits.check_failures(&given.id, extensions)?;
    let client = find_client(state, &given.id).await?;
    if is_authentic(client.as_ref(), given.secret.as_deref())
        && let Some(client) = client
    {
        return Ok(client);
    }
    // An id is logged only if it is registered: an unknown one may be a secret in the wrong place.
    let client = client.map(|client| client.id);
    let address = caller_address(extensions);
    tracing::warn!(client, ?address, "client authentication failed");
    limits.count_failure(&given.id, extensions);
    let by_header = given.by_header;
    Err(EndpointError::NotAuthenticated { by_header })
}

/// The client of this id, unless it was disabled.
pub(super) async fn find_client(state: &ServerState, id: &str) -> Result<Option<ClientRow>, Error> {
    // A text that is no id cannot be stored, so it costs no query.
    if !is_id(id) {
        return Ok(None);
    }
    let client = state.api.items::<ClientRow>().get(id).await?;
    Ok(client.filter(|client| client.disabled_at.is_none()))
}

/// Verifies the secret. A digest is computed and compared even for unknown clients, so that the
/// response time does not tell which exist.
fn is_authentic(client: Option<&ClientRow>, secret: Option<&str>) -> bool {
    let stored = client.and_then(|client| client.secret_hash.as_deref());
    let matches = matches_hash(secret.unwrap_or_default(), stored.unwrap_or(DUMMY_HASH));
    // A public client that sends a secret is refused: it may have been registered with the wrong
    // kind.
    match client.map(|client| client.kind) {
        Some(ClientKind::Confidential) => matches && stored.is_some(),
        Some(ClientKind::Public) => secret.is_none(),
        None => false,
    }
}

/// The credentials of a request, from the header or the body; both together are refused.
fn credentials(headers: &HeaderMap, form: &Form) -> Result<Credentials, EndpointError> {
    let id = form.get("client_id")?;
    let secret = form.get("client_secret")?;
    // A repeated header is refused, because a proxy might have checked the other one.
    let mut authorizations = headers.get_all(header::AUTHORIZATION).into_iter();
    let basic = match (authorizations.next(), authorizations.next()) {
        (None, _) => None,
        (Some(value), None) => Some(parse_basic(value)?),
        (Some(_), Some(_)) => return Err(TWO_METHODS.into()),
    };
    match (basic, id) {
        (Some(_), _) if secret.is_some() => Err(TWO_METHODS.into()),
        // The same id in the body is redundant and harmless.
        (Some(basic), Some(id)) if basic.id != id => Err(TWO_METHODS.into()),
        (Some(basic), _) => Ok(basic),
        (None, Some(id)) => Ok(Credentials {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            by_header: false,
        }),
        (None, None) => Err(EndpointError::NotAuthenticated { by_header: false }),
    }
}

/// A request must not use two methods of authentication (RFC 6749, section 2.3).
const TWO_METHODS: OauthError =
    OauthError::invalid_request("the client is named in two ways; name it in one");

/// The credentials of HTTP Basic. Id and secret are form-encoded before they are joined (RFC 6749,
/// section 2.3.1).
fn parse_basic(value: &HeaderValue) -> Result<Credentials, EndpointError> {
    let parse = || {
        let (scheme, encoded) = value.to_str().ok()?.split_once(' ')?;
        let decoded = STANDARD.decode(encoded.trim()).ok()?;
        let decoded = String::from_utf8(decoded).ok()?;
        // Split before decoding: an encoded colon belongs to the id or the secret.
        let (id, secret) = decoded.split_once(':')?;
        let (id, secret) = (decode(id)?, decode(secret)?);
        let is_basic = scheme.eq_ignore_ascii_case("basic");
        // An empty secret proves nothing; a public client names itself in the body.
        (is_basic && !secret.is_empty()).then_some(Credentials {
            id,
            secret: Some(secret),
            by_header: true,
        })
    };
    parse().ok_or(EndpointError::NotAuthenticated { by_header: true })
}

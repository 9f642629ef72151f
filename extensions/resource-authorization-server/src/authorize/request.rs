//! The parameters of an authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3).

use crate::authorization_server::ServerState;
use crate::client::GrantType;
use crate::encoding::is_base64url;
use crate::error_response::{ErrorCode, OauthError};
use crate::form::Form;
use crate::store::{ClientRow, SpaceSeparated};
use crate::token::require_resource;

/// Bound on `state`, because everybody can have it stored.
const MAX_STATE: usize = 1024;

/// Length of a SHA-256 digest in base64url.
const CHALLENGE_LENGTH: usize = 43;

/// A valid authorization request of a client whose redirect URI is validated.
pub(super) struct AuthorizationRequest {
    pub(super) challenge: String,
    pub(super) scope: SpaceSeparated,
}

impl AuthorizationRequest {
    pub(super) fn read(
        state: &ServerState,
        client: &ClientRow,
        form: &Form,
    ) -> Result<Self, OauthError> {
        // Repeated parameters are refused first, so that the rest reads each from its only value.
        form.check()?;
        check_response_type(form)?;
        client.require(GrantType::AuthorizationCode)?;
        // Validated only: the value travels with the redirect.
        let _: Option<String> = state_parameter(form)?;
        let challenge = code_challenge(form)?;
        require_resource(state, form)?;
        let scope = client.scopes_for(form.get("scope")?)?;
        Ok(Self { challenge, scope })
    }
}

/// The opaque `state`, which is returned to the client with its user.
pub(super) fn state_parameter(form: &Form) -> Result<Option<String>, OauthError> {
    let state = form.get("state")?;
    if state.is_some_and(|state| state.len() > MAX_STATE) {
        let text = "the state is longer than 1 KiB";
        return Err(OauthError::invalid_request(text));
    }
    Ok(state.map(str::to_owned))
}

fn check_response_type(form: &Form) -> Result<(), OauthError> {
    let error = match (form.get("response_type"), form.get("response_mode")) {
        // The only response mode: the redirect carries its parameters in the query.
        (Ok(Some("code")), Ok(None | Some("query"))) => return Ok(()),
        (Ok(Some("code")), _) => OauthError::invalid_request("the response mode must be query"),
        (Ok(Some(_)), _) => {
            ErrorCode::UNSUPPORTED_RESPONSE_TYPE.described("the response type must be code")
        }
        _ => OauthError::invalid_request("the parameter response_type is missing"),
    };
    Err(error)
}

/// The PKCE code challenge. PKCE is required of every client (RFC 9700, section 2.1.1), and with
/// `S256`: a `plain` challenge is the verifier itself, so whoever sees the request has it.
fn code_challenge(form: &Form) -> Result<String, OauthError> {
    if form.get("code_challenge_method") != Ok(Some("S256")) {
        let text = "the parameter code_challenge_method must be S256";
        return Err(OauthError::invalid_request(text));
    }
    let challenge = form.get("code_challenge").ok().flatten();
    let challenge = challenge.filter(|it| it.len() == CHALLENGE_LENGTH && is_base64url(it));
    let text = "the parameter code_challenge is missing, or not 43 characters of base64url";
    let challenge = challenge.map(str::to_owned);
    challenge.ok_or(OauthError::invalid_request(text))
}

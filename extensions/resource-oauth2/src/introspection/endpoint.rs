//! The introspection request and the validation of its response (RFC 7662, section 2).

use std::fmt::Display;

use axum::body::Bytes;
use axum::http::{HeaderValue, Response, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resource_runtime::authorization::InvalidToken;
use serde_json::{Map, Value};

use super::Introspection;
use crate::fetch::Client;
use crate::token::{names_audience, time};

/// Characters that `application/x-www-form-urlencoded` leaves unencoded.
const FORM: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'*');

/// A value as `application/x-www-form-urlencoded` writes it.
pub fn form_encoded(value: &str) -> impl Display + Iterator<Item = &str> {
    utf8_percent_encode(value, FORM)
}

/// Values of `typ` that issuers use for access tokens.
const ACCESS_TOKEN_TYPES: [&str; 4] = ["bearer", "at+jwt", "application/at+jwt", "jwt"];

/// Introspects a token; `None` if the endpoint refuses the request because of the token. An error is a failure of
/// the endpoint, and says nothing about the token.
pub(super) async fn introspect(
    client: &Client,
    settings: &Introspection,
    token: &str,
) -> Result<Option<Map<String, Value>>, String> {
    // The verifier takes any text as an opaque token, so every character may occur.
    let token = form_encoded(token);
    // The hint is optional (RFC 7662, section 2.1) and spares the issuer a search among refresh tokens.
    let form = format!("token={token}&token_type_hint=access_token");
    let authorization = basic_authorization(&settings.client_id, &settings.client_secret)?;
    let endpoint = settings.endpoint.as_str();
    let response = client.post_form(endpoint, authorization, form).await?;
    let status = response.status();
    // A token that the endpoint cannot read counts as inactive, and is cached as such.
    if blames_token(&response) {
        tracing::info!(endpoint, %status, "an issuer refuses to introspect a token");
        return Ok(None);
    }
    // Every other status is a fault of the endpoint or of our credentials, so the breaker counts it.
    if status != StatusCode::OK {
        return Err(format!("`{endpoint}`: it answered {status}"));
    }
    // The parser's error is dropped: it quotes the response, which must not reach the log.
    match serde_json::from_slice(response.body()) {
        Ok(Value::Object(response)) => Ok(Some(response)),
        _ => Err(format!("`{endpoint}`: its response is not a JSON object")),
    }
}

/// Tests for a refusal caused by the token itself. A client chooses its token, and must not be able to open the
/// circuit breaker with it. Other refusals concern our credentials, the URL, or the load of the endpoint.
fn blames_token(response: &Response<Bytes>) -> bool {
    match response.status() {
        // A 400 is ambiguous: its body tells whether the token or the client is at fault.
        StatusCode::BAD_REQUEST => !blames_client(response.body()),
        StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::URI_TOO_LONG
        | StatusCode::UNPROCESSABLE_ENTITY => true,
        _ => false,
    }
}

/// Tests for a refusal of our credentials, which some issuers give as a 400 (RFC 6749, section 5.2).
fn blames_client(body: &[u8]) -> bool {
    // A body that is no JSON names no error, so the refusal is about the token.
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = body.get("error").and_then(Value::as_str);
    // These two codes concern the credentials of the service; a client cannot cause them by its token.
    matches!(error, Some("invalid_client" | "unauthorized_client"))
}

/// The header for HTTP Basic; id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1).
fn basic_authorization(id: &str, secret: &str) -> Result<HeaderValue, String> {
    // Encoding makes the colon between both unambiguous, even if the id holds one.
    let [id, secret] = [id, secret].map(|text| utf8_percent_encode(text, FORM).to_string());
    let credentials = STANDARD.encode(format!("{id}:{secret}"));
    let mut value = HeaderValue::try_from(format!("Basic {credentials}"))
        .map_err(|_| String::from("the client credentials are no valid header value"))?;
    // The header holds the secret, which must not appear in debug output.
    value.set_sensitive(true);
    Ok(value)
}

/// Validates an introspection response: an active access token for this service. Returns the expiry, `None` if the
/// issuer states none.
pub(super) fn check(
    response: &Map<String, Value>,
    settings: &Introspection,
    leeway: i64,
    now: i64,
) -> Result<Option<i64>, InvalidToken> {
    // First, because an inactive response has no other members (RFC 7662, section 2.2).
    if response.get("active") != Some(&Value::Bool(true)) {
        return Err(InvalidToken::Inactive);
    }
    // A token of another type may have the same issuer and audience, so these alone prove nothing.
    check_type(response)?;
    // Optional in the response; if it is there it must be the issuer that was asked.
    let issuer = response.get("iss");
    if issuer.is_some_and(|issuer| *issuer != settings.issuer) {
        return Err(InvalidToken::UntrustedIssuer);
    }
    // An `aud` that is present must name this service in any case.
    let is_exempt = settings.audience_is_optional && !response.contains_key("aud");
    if !is_exempt && !names_audience(response.get("aud"), &settings.audience) {
        return Err(InvalidToken::Claim("aud"));
    }
    check_times(response, leeway, now)
}

/// Refuses other types of tokens: issuers introspect refresh tokens and ID tokens, too.
fn check_type(response: &Map<String, Value>) -> Result<(), InvalidToken> {
    let text = |name| response.get(name).and_then(Value::as_str);
    // Absent members pass: RFC 7662 requires none of them, and issuers differ in which they send.
    let bearer = text("token_type").is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
    let access = text("token_use").is_none_or(|usage| usage == "access_token");
    let is_known = |kind: &str| {
        ACCESS_TOKEN_TYPES
            .iter()
            .any(|it| it.eq_ignore_ascii_case(kind))
    };
    let is_fit = bearer && access && text("typ").is_none_or(is_known);
    is_fit.then_some(()).ok_or(InvalidToken::Type)
}

fn check_times(
    response: &Map<String, Value>,
    leeway: i64,
    now: i64,
) -> Result<Option<i64>, InvalidToken> {
    // The expiry is optional here (RFC 7662, section 2.2); `active` covers it, so its absence is no error.
    let expires = time(response, "exp")?;
    if expires.is_some_and(|expires| now >= expires.saturating_add(leeway)) {
        return Err(InvalidToken::Expired);
    }
    if time(response, "nbf")?.is_some_and(|not_before| not_before > now.saturating_add(leeway)) {
        return Err(InvalidToken::NotYetValid);
    }
    // Only its syntax is checked: `active` already covers the time of issue.
    time(response, "iat")?;
    Ok(expires)
}

#[cfg(test)]
mod tests;

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

/// What the form's encoding leaves as it is.
const FORM: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'*');

/// What issuers call access tokens in `typ`, where they say it.
const ACCESS_TOKENS: [&str; 4] = ["bearer", "at+jwt", "application/at+jwt", "jwt"];

/// Asks what a token is; an error is the endpoint's, and says nothing of the token. `None` where
/// the endpoint takes no question about such a token.
pub(super) async fn ask(
    client: &Client,
    settings: &Introspection,
    token: &str,
) -> Result<Option<Map<String, Value>>, String> {
    let token = utf8_percent_encode(token, FORM);
    let form = format!("token={token}&token_type_hint=access_token");
    let authorization = authorization(&settings.client_id, &settings.client_secret)?;
    let endpoint = settings.endpoint.as_str();
    let answer = client.post_form(endpoint, authorization, form).await?;
    let status = answer.status();
    if speaks_of_token(&answer) {
        tracing::info!(endpoint, %status, "an issuer refuses a question about a token");
        return Ok(None);
    }
    if status != StatusCode::OK {
        return Err(format!("`{endpoint}`: it answered {status}"));
    }
    // The error of the parser would quote the answer.
    match serde_json::from_slice(answer.body()) {
        Ok(Value::Object(answer)) => Ok(Some(answer)),
        _ => Err(format!("`{endpoint}`: its answer is not a JSON object")),
    }
}

/// Whoever sends a token can choose what is wrong with it, and must not be able to make the endpoint
/// look as if it were down. The other refusals are about us, about where we ask, or about the moment.
fn speaks_of_token(answer: &Response<Bytes>) -> bool {
    match answer.status() {
        StatusCode::BAD_REQUEST => !speaks_of_us(answer.body()),
        StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::URI_TOO_LONG
        | StatusCode::UNPROCESSABLE_ENTITY => true,
        _ => false,
    }
}

/// Some issuers say so with the status of a request that is wrong (RFC 6749, section 5.2).
fn speaks_of_us(body: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = body.get("error").and_then(Value::as_str);
    matches!(error, Some("invalid_client" | "unauthorized_client"))
}

/// Each part is encoded as in a form before they are joined (RFC 6749, section 2.3.1).
fn authorization(id: &str, secret: &str) -> Result<HeaderValue, String> {
    let [id, secret] = [id, secret].map(|text| utf8_percent_encode(text, FORM).to_string());
    let credentials = STANDARD.encode(format!("{id}:{secret}"));
    let mut value = HeaderValue::try_from(format!("Basic {credentials}"))
        .map_err(|_| String::from("the client's credentials do not fit a header"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// When the token expires, if it is an active access token for this service; `None` where the
/// issuer does not say.
pub(super) fn check(
    answer: &Map<String, Value>,
    settings: &Introspection,
    leeway: i64,
    now: i64,
) -> Result<Option<i64>, InvalidToken> {
    if answer.get("active") != Some(&Value::Bool(true)) {
        return Err(InvalidToken::Inactive);
    }
    check_kind(answer)?;
    let issuer = answer.get("iss");
    if issuer.is_some_and(|issuer| *issuer != settings.issuer) {
        return Err(InvalidToken::UntrustedIssuer);
    }
    let unsaid = settings.audience_is_optional && !answer.contains_key("aud");
    if !unsaid && !names_audience(answer.get("aud"), &settings.audience) {
        return Err(InvalidToken::Claim("aud"));
    }
    check_times(answer, leeway, now)
}

/// Issuers answer about refresh tokens and ID tokens too.
fn check_kind(answer: &Map<String, Value>) -> Result<(), InvalidToken> {
    let text = |name| answer.get(name).and_then(Value::as_str);
    let bearer = text("token_type").is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
    let access = text("token_use").is_none_or(|usage| usage == "access_token");
    let is_known = |kind: &str| ACCESS_TOKENS.iter().any(|it| it.eq_ignore_ascii_case(kind));
    let is_fit = bearer && access && text("typ").is_none_or(is_known);
    is_fit.then_some(()).ok_or(InvalidToken::Type)
}

fn check_times(
    answer: &Map<String, Value>,
    leeway: i64,
    now: i64,
) -> Result<Option<i64>, InvalidToken> {
    let expires = time(answer, "exp")?;
    if expires.is_some_and(|expires| now >= expires.saturating_add(leeway)) {
        return Err(InvalidToken::Expired);
    }
    if time(answer, "nbf")?.is_some_and(|not_before| not_before > now.saturating_add(leeway)) {
        return Err(InvalidToken::NotYetValid);
    }
    // The issuer says by `active` whether it counts; here it must be a time alone.
    time(answer, "iat")?;
    Ok(expires)
}

#[cfg(test)]
mod tests;

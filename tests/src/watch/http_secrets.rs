//! Secrets of requests and responses: tokens, passwords, cookies and credentials, remembered for the search of the log.

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::state::remember;
use crate::Answer;

/// Parameters of forms and URLs, and members of JSON, whose values are secrets.
const NAMES: [&str; 11] = [
    "access_token",
    "client_secret",
    "code",
    "code_verifier",
    "csrf",
    "id_token",
    "new_password",
    "password",
    "pending",
    "refresh_token",
    "token",
];

/// Remembers the secrets of a request, also for servers and clients that are not the harness's own.
pub fn asked(target: &str, headers: &HeaderMap, body: &[u8]) {
    parameters(query(target));
    for value in texts(headers, &AUTHORIZATION) {
        credentials(value);
    }
    for cookies in texts(headers, &COOKIE) {
        cookies.split(';').for_each(cookie);
    }
    content(headers, body);
}

/// Remembers the secrets of a request in bytes.
pub(crate) fn sent(request: &[u8]) {
    let request = String::from_utf8_lossy(request);
    let (head, body) = request.split_once("\r\n\r\n").unwrap_or((&request, ""));
    let mut lines = head.split("\r\n");
    let target = lines.next().and_then(|line| line.split(' ').nth(1));
    let headers = lines.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.parse().ok()?, value.trim().parse().ok()?))
    });
    asked(
        target.unwrap_or_default(),
        &headers.collect(),
        body.as_bytes(),
    );
}

/// Remembers the secrets of a response.
pub(crate) fn answered(answer: &Answer) {
    for location in texts(&answer.headers, &LOCATION) {
        parameters(query(location));
    }
    for value in texts(&answer.headers, &SET_COOKIE) {
        cookie(value.split(';').next().unwrap_or_default());
    }
    content(&answer.headers, &answer.body);
}

fn texts<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).into_iter();
    values.filter_map(|value| value.to_str().ok())
}

/// Remembers the credentials behind their scheme, and of HTTP Basic the secret of the client in clear, too.
fn credentials(value: &str) {
    let (scheme, credentials) = value.split_once(' ').unwrap_or(("", value));
    remember_token("the credentials of a request", credentials.trim());
    if scheme.eq_ignore_ascii_case("basic")
        && let Ok(decoded) = STANDARD.decode(credentials)
        && let Some((_, secret)) = String::from_utf8_lossy(&decoded).split_once(':')
    {
        remember("the secret of a client", secret);
        // Clients percent-encode their secrets within HTTP Basic (RFC 6749, section 2.3.1).
        remember("the secret of a client", unescaped(secret));
    }
}

/// Forbids this token in the log. The header of a signed token is no secret.
pub fn remember_token(what: &'static str, token: &str) {
    match token.split('.').collect::<Vec<_>>()[..] {
        [header, claims, signature] if header.starts_with("eyJ") => {
            remember(what, claims);
            remember(what, signature);
        }
        _ => remember(what, token),
    }
}

fn cookie(pair: &str) {
    if let Some((_, value)) = pair.split_once('=') {
        remember("the value of a cookie", value.trim());
    }
}

fn content(headers: &HeaderMap, body: &[u8]) {
    let kind = texts(headers, &CONTENT_TYPE).next().unwrap_or_default();
    if kind.starts_with("application/x-www-form-urlencoded") {
        parameters(&String::from_utf8_lossy(body));
    } else if kind.starts_with("application/json")
        // Most bodies name no secret, and need not be parsed.
        && NAMES.iter().any(|name| has(body, name))
        && let Ok(body) = serde_json::from_slice(body)
    {
        members(&body);
    }
}

fn has(body: &[u8], name: &str) -> bool {
    memchr::memmem::find(body, name.as_bytes()).is_some()
}

fn query(target: &str) -> &str {
    target.split_once('?').map_or("", |(_, query)| query)
}

fn parameters(pairs: &str) {
    for (name, value) in pairs.split('&').filter_map(|pair| pair.split_once('=')) {
        if let Some(what) = secret(&unescaped(name)) {
            remember_token(what, value);
            // A service could log the value as it was sent, or decoded.
            remember_token(what, &unescaped(&value.replace('+', " ")));
        }
    }
}

fn members(value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(members),
        Value::Object(object) => {
            for (name, value) in object {
                match (secret(name), value) {
                    (Some(what), Value::String(text)) => remember_token(what, text),
                    _ => members(value),
                }
            }
        }
        _ => {}
    }
}

fn secret(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|secret| *secret == name)
}

fn unescaped(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

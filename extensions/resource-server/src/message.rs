//! Messages that are read as requests, but are none by the standards (RFC 9112, sections 3.2, 3.3 and 6;
//! RFC 9113, section 8.3.1). They are looked for here, as the server alone knows that a request is a
//! message that somebody sent: routers are also asked by their own process, where no host is needed.

use axum::http::{HeaderMap, Method, Request, Version, header};

use crate::authority::{is_same, is_valid};
use crate::error::{ServerError, ServerErrorKind};

const CHUNKED: &str = "chunked";

/// Characters of an unknown transfer coding that its refusal repeats.
const LONGEST_SHOWN: usize = 64;

/// Why a request is not served.
pub(crate) fn problem<B>(request: &Request<B>) -> Option<ServerError> {
    problem_of_target(request)
        .or_else(|| problem_of_host(request).map(not_http))
        .or_else(|| problem_of_coding(request.headers()))
}

fn not_http(description: &'static str) -> ServerError {
    ServerError::new(ServerErrorKind::NotHttp, description)
}

fn problem_of_target<B>(request: &Request<B>) -> Option<ServerError> {
    let path = request.uri().path();
    // A path is empty where the target is nothing but a host.
    if path.is_empty() != (request.method() == Method::CONNECT) {
        return Some(not_http(
            "the target must be a path or a URL; only for `CONNECT` it is a host and a port",
        ));
    }
    (path == "*" && request.method() != Method::OPTIONS)
        .then(|| not_http("the target `*` is for `OPTIONS` alone; send a path or a URL"))
}

fn problem_of_host<B>(request: &Request<B>) -> Option<&'static str> {
    let authority = request.uri().authority();
    let authority = authority.map(|authority| authority.as_str().as_bytes());
    if authority.is_some_and(|authority| !is_valid(authority)) {
        return Some("the URL names no valid host, like `api.example.org:8080`");
    }
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let Some(host) = hosts.next() else {
        // Over HTTP/2 the target names it, before HTTP/1.1 nobody did.
        let is_named = authority.is_some() && request.version() == Version::HTTP_2;
        let is_needed = !is_named && request.version() > Version::HTTP_10;
        return is_needed.then_some("the header `Host` is missing");
    };
    if hosts.next().is_some() {
        return Some("the header `Host` stands there more than once; send it once");
    }
    if !is_valid(host.as_bytes()) {
        return Some("the header `Host` names no valid host, like `api.example.org:8080`");
    }
    let scheme = request.uri().scheme_str();
    let differs = |authority: &[u8]| !is_same(authority, host.as_bytes(), scheme);
    (request.version() == Version::HTTP_2 && authority.is_some_and(differs))
        .then_some("`:authority` and the header `Host` name different hosts; send one of them")
}

/// Hyper has seen to it that the last coding is `chunked`, else the end of the body is not known.
fn problem_of_coding(headers: &HeaderMap) -> Option<ServerError> {
    let mut known = 0;
    for line in headers.get_all(header::TRANSFER_ENCODING) {
        let line = String::from_utf8_lossy(line.as_bytes());
        for coding in line.split(',').map(str::trim) {
            if coding.eq_ignore_ascii_case(CHUNKED) {
                known += 1;
            } else if !coding.is_empty() {
                let coding = beginning(coding);
                let description = format!(
                    "the transfer coding `{coding}` is not known; send `Transfer-Encoding: chunked` or `Content-Length`"
                );
                let kind = ServerErrorKind::UnknownTransferCoding;
                return Some(ServerError::new(kind, description));
            }
        }
    }
    (known > 1).then(|| not_http("a body is `chunked` once; send `Transfer-Encoding: chunked`"))
}

/// The part of a coding that a description repeats. A header has no control character but the tab.
fn beginning(coding: &str) -> String {
    let mut shown: String = coding.chars().take(LONGEST_SHOWN).collect();
    if shown.len() < coding.len() {
        shown.push('…');
    }
    shown.replace('\t', "\\t")
}

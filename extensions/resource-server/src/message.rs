//! Messages that are read as requests, but are none by the standards (RFC 9112, sections 3.2, 3.3 and 6;
//! RFC 9113, section 8.3.1). They are looked for here, as the server alone knows that a request is a
//! message that somebody sent: routers are also asked by their own process, where no host is needed.

use std::io::BufRead as _;

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

/// What the version of every request of HTTP/1 begins with.
const VERSION: &[u8] = b"HTTP/1.";

/// What comes next of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestLine {
    Method,
    Target,
    /// The version, of which so many bytes have come.
    Version(usize),
    /// Another protocol, or another major version.
    Foreign,
    /// What follows is not looked at.
    Over,
}

impl RequestLine {
    /// Reads on; a later minor version of HTTP/1 becomes HTTP/1.1, as which it is to be processed
    /// (RFC 9110, section 2.5), and of which hyper knows that it is.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) {
        if *self == Self::Method && is_usual(bytes) {
            *self = Self::Over;
            return;
        }
        let mut at = 0;
        while let Some(rest) = bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            match self {
                Self::Method | Self::Target => {
                    let length = rest.len();
                    let skipped = { &*rest }.skip_until(b' ').unwrap_or(length);
                    if skipped == length && rest.last() != Some(&b' ') {
                        return;
                    }
                    at += skipped;
                    *self = match self {
                        Self::Method => Self::Target,
                        _ => Self::Version(0),
                    };
                }
                Self::Version(count) => {
                    let Some(byte) = rest.first_mut() else { return };
                    *self = match VERSION.get(*count) {
                        Some(expected) if expected == byte => Self::Version(*count + 1),
                        Some(_) => Self::Foreign,
                        None => {
                            if matches!(byte, b'2'..=b'9') {
                                *byte = b'1';
                            }
                            Self::Over
                        }
                    };
                    at += 1;
                }
                Self::Foreign | Self::Over => return,
            }
        }
    }
}

/// Whether the whole line is there and names HTTP/1.1, as nearly every one does.
fn is_usual(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let length = rest.skip_until(b'\n').unwrap_or_default();
    let line = bytes.get(..length).unwrap_or_default();
    line.ends_with(b" HTTP/1.1\r\n")
}

#[cfg(test)]
mod tests {
    use super::RequestLine;

    fn read(pieces: &[&str]) -> (String, RequestLine) {
        let mut line = RequestLine::Method;
        let mut text = String::new();
        for piece in pieces {
            let mut bytes = piece.as_bytes().to_vec();
            line.read(&mut bytes);
            text.push_str(&String::from_utf8(bytes).unwrap());
        }
        (text, line)
    }

    #[test]
    fn a_later_minor_version_is_1_1_wherever_its_bytes_are_parted() {
        let sent = "GET /a HTTP/1.2\r\nx: y HTTP/1.2\r\n\r\n";
        let seen = "GET /a HTTP/1.1\r\nx: y HTTP/1.2\r\n\r\n";
        for end in 0..sent.len() {
            let (text, line) = read(&[&sent[..end], &sent[end..]]);
            assert_eq!((text.as_str(), line), (seen, RequestLine::Over), "{end}");
        }
        let bytes: Vec<&str> = sent.split("").collect();
        assert_eq!(read(&bytes).0, seen);
    }

    #[test]
    fn nothing_else_is_changed() {
        for (sent, line) in [
            ("", RequestLine::Method),
            ("GET", RequestLine::Method),
            ("GET /HTTP/1.2", RequestLine::Target),
            ("GET / HTTP/1.1\r\n", RequestLine::Over),
            ("GET / HTTP/1.0\r\n", RequestLine::Over),
            ("GET / HTTP/2.0\r\n", RequestLine::Foreign),
            ("GET  HTTP/1.2\r\n", RequestLine::Over),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", RequestLine::Foreign),
        ] {
            let (text, found) = read(&[sent]);
            if sent != "GET  HTTP/1.2\r\n" {
                assert_eq!(text, sent);
            }
            assert_eq!(found, line, "{sent}");
        }
    }
}

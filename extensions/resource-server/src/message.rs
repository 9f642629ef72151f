//! Validation of requests that hyper accepts but the standards forbid (RFC 9112, sections 3.2, 3.3 and 6;
//! RFC 9113, section 8.3.1). The server validates, not the router, because a router is also called within its
//! process, where a request needs no `Host`.

use std::io::BufRead as _;

use axum::http::{HeaderMap, Method, Request, Version, header};

use crate::authority::{is_same, is_valid};
use crate::error::{ServerError, ServerErrorKind};

const CHUNKED: &str = "chunked";

/// Characters of an unknown transfer coding that its refusal quotes.
const MAX_SHOWN: usize = 64;

/// The error for which an invalid request is refused.
pub(crate) fn problem<B>(request: &Request<B>) -> Option<ServerError> {
    target_problem(request)
        .or_else(|| host_problem(request).map(not_http))
        .or_else(|| coding_problem(request.headers()))
}

fn not_http(description: &'static str) -> ServerError {
    ServerError::new(ServerErrorKind::NotHttp, description)
}

fn target_problem<B>(request: &Request<B>) -> Option<ServerError> {
    let path = request.uri().path();
    // Only a target in authority form has an empty path.
    if path.is_empty() != (request.method() == Method::CONNECT) {
        return Some(not_http(
            "the target must be a path or a URL; only for `CONNECT` it is a host and a port",
        ));
    }
    (path == "*" && request.method() != Method::OPTIONS)
        .then(|| not_http("the target `*` is for `OPTIONS` alone; send a path or a URL"))
}

fn host_problem<B>(request: &Request<B>) -> Option<&'static str> {
    let authority = request.uri().authority();
    let authority = authority.map(|authority| authority.as_str().as_bytes());
    if authority.is_some_and(|authority| !is_valid(authority)) {
        return Some("the URL names no valid host, like `api.example.org:8080`");
    }
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let Some(host) = hosts.next() else {
        // HTTP/2 has `:authority` instead; HTTP/1.0 requires no host.
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
    // On HTTP/1 the target in absolute form overrides `Host` (RFC 9112, section 3.2.2), so they may differ.
    (request.version() == Version::HTTP_2 && authority.is_some_and(differs))
        .then_some("`:authority` and the header `Host` name different hosts; send one of them")
}

/// Refuses transfer codings other than one `chunked`. Hyper has already checked that the last coding is
/// `chunked`, without which the end of the body is unknown.
fn coding_problem(headers: &HeaderMap) -> Option<ServerError> {
    let mut known = 0;
    for line in headers.get_all(header::TRANSFER_ENCODING) {
        let line = String::from_utf8_lossy(line.as_bytes());
        // Several lines of a header are one list, whose elements may be empty (RFC 9110, section 5.6.1).
        for coding in line.split(',').map(str::trim) {
            if coding.eq_ignore_ascii_case(CHUNKED) {
                known += 1;
            } else if !coding.is_empty() {
                let coding = quotable(coding);
                let description = format!(
                    "the transfer coding `{coding}` is not known; send `Transfer-Encoding: chunked` or `Content-Length`"
                );
                let kind = ServerErrorKind::UnknownTransferCoding;
                return Some(ServerError::new(kind, description));
            }
        }
    }
    // `chunked` must not be applied twice (RFC 9112, section 6.1).
    (known > 1).then(|| not_http("a body is `chunked` once; send `Transfer-Encoding: chunked`"))
}

/// Truncates a coding for quoting, and escapes the tab, the only control character that a header may have.
fn quotable(coding: &str) -> String {
    let mut shown: String = coding.chars().take(MAX_SHOWN).collect();
    // Both lengths are in bytes, so they differ only if characters were left out.
    if shown.len() < coding.len() {
        shown.push('…');
    }
    shown.replace('\t', "\\t")
}

/// Beginning of the version in every HTTP/1 request line.
const VERSION: &[u8] = b"HTTP/1.";

/// A parser of the request line across reads; each state names the part that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestLine {
    Method,
    Target,
    /// The version, and how many of its bytes were read.
    Version(usize),
    /// Another protocol, or another major version.
    OtherProtocol,
    /// The line is parsed; further bytes are ignored.
    Done,
}

impl RequestLine {
    /// Parses further bytes. A higher minor version of HTTP/1 is overwritten with HTTP/1.1, as which it is to be
    /// processed (RFC 9110, section 2.5), because hyper rejects it.
    pub(crate) fn read(&mut self, bytes: &mut [u8]) {
        if *self == Self::Method && is_http_1_1(bytes) {
            *self = Self::Done;
            return;
        }
        // Indexed, not iterated, because a byte of the version may be overwritten on the way.
        let mut at = 0;
        while let Some(rest) = bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            match self {
                Self::Method | Self::Target => {
                    let length = rest.len();
                    // A copy of the slice is advanced, and its length is the number of bytes up to the
                    // space.
                    let skipped = { &*rest }.skip_until(b' ').unwrap_or(length);
                    // The read ends within this part; the next one goes on in the same state.
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
                        Some(_) => Self::OtherProtocol,
                        None => {
                            // HTTP/1.0 stays, because its clients expect other defaults, such as a close
                            // after each response.
                            if matches!(byte, b'2'..=b'9') {
                                *byte = b'1';
                            }
                            Self::Done
                        }
                    };
                    at += 1;
                }
                Self::OtherProtocol | Self::Done => return,
            }
        }
    }
}

/// Tests for a complete request line of HTTP/1.1: the fast path of nearly every request.
fn is_http_1_1(bytes: &[u8]) -> bool {
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
    fn higher_minor_version_becomes_1_1_however_the_reads_are_split() {
        let sent = "GET /a HTTP/1.2\r\nx: y HTTP/1.2\r\n\r\n";
        let seen = "GET /a HTTP/1.1\r\nx: y HTTP/1.2\r\n\r\n";
        for end in 0..sent.len() {
            let (text, line) = read(&[&sent[..end], &sent[end..]]);
            assert_eq!((text.as_str(), line), (seen, RequestLine::Done), "{end}");
        }
        let bytes: Vec<&str> = sent.split("").collect();
        assert_eq!(read(&bytes).0, seen);
    }

    #[test]
    fn other_bytes_are_unchanged() {
        for (sent, line) in [
            ("", RequestLine::Method),
            ("GET", RequestLine::Method),
            ("GET /HTTP/1.2", RequestLine::Target),
            ("GET / HTTP/1.1\r\n", RequestLine::Done),
            ("GET / HTTP/1.0\r\n", RequestLine::Done),
            ("GET / HTTP/2.0\r\n", RequestLine::OtherProtocol),
            ("GET  HTTP/1.2\r\n", RequestLine::Done),
            (
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                RequestLine::OtherProtocol,
            ),
        ] {
            let (text, found) = read(&[sent]);
            if sent != "GET  HTTP/1.2\r\n" {
                assert_eq!(text, sent);
            }
            assert_eq!(found, line, "{sent}");
        }
    }
}

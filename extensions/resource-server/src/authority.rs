//! The authority of a request target: host and port (RFC 3986, section 3.2).

use std::net::Ipv6Addr;

use axum::http::{HeaderMap, HeaderValue, header};

/// The header `Host`, if the request has exactly one.
#[must_use]
pub fn host(headers: &HeaderMap) -> Option<&HeaderValue> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?;
    hosts.next().is_none().then_some(host)
}

/// Tests for a non-empty host with an optional port. Clients must not send user information (RFC 9110,
/// section 4.2.4).
///
/// ```
/// use resource_server::authority::is_valid;
///
/// assert!(is_valid(b"api.example.org:8080"));
/// assert!(!is_valid(b"user@api.example.org"));
/// ```
#[must_use]
pub fn is_valid(authority: &[u8]) -> bool {
    let (host, port) = parts(authority);
    let host_is_valid = match host {
        [] => false,
        [b'[', inner @ .., b']'] => {
            let inner = std::str::from_utf8(inner);
            inner.is_ok_and(|inner| inner.parse::<Ipv6Addr>().is_ok())
        }
        name => is_name(name),
    };
    host_is_valid && is_port(port)
}

/// Tests that two valid authorities of a scheme (`http` by default) name the same host and port.
///
/// ```
/// use resource_server::authority::is_same;
///
/// assert!(is_same(b"Api.example.org", b"api.example.org:443", Some("https")));
/// ```
#[must_use]
pub fn is_same(one: &[u8], other: &[u8], scheme: Option<&str>) -> bool {
    // HTTP/1 has no scheme in its usual form of target, and this server speaks no TLS itself.
    let default: &[u8] = match scheme {
        Some("https") => b"443",
        _ => b"80",
    };
    // `host:` and `host` are equal (RFC 9110, section 4.2.3).
    let or_default = |port| if port == b"" { default } else { port };
    let ((host, port), (other_host, other_port)) = (parts(one), parts(other));
    host.eq_ignore_ascii_case(other_host) && or_default(port) == or_default(other_port)
}

/// Splits an authority into host and port. A colon within the brackets of an IPv6 address separates nothing.
fn parts(authority: &[u8]) -> (&[u8], &[u8]) {
    let mut parts = authority.rsplitn(2, |byte| *byte == b':');
    match (parts.next(), parts.next()) {
        (Some(port), Some(host)) if !port.ends_with(b"]") => (host, port),
        _ => (authority, b""),
    }
}

/// Tests for a registered name: unreserved characters, sub-delimiters and percent-encoded octets (RFC 3986,
/// section 3.2.2).
fn is_name(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte);
    // Each part but the first begins behind a `%`, so with two hexadecimal digits.
    let mut parts = name.split(|byte| *byte == b'%');
    parts.next().is_some_and(|first| first.iter().all(is_plain))
        && parts.all(|part| match part {
            [first, second, rest @ ..] => {
                first.is_ascii_hexdigit() && second.is_ascii_hexdigit() && rest.iter().all(is_plain)
            }
            _ => false,
        })
}

/// Tests for a port of 16 bits, or none: a colon without a port is valid. `parse` alone would allow a sign.
fn is_port(port: &[u8]) -> bool {
    let number = || std::str::from_utf8(port).is_ok_and(|port| port.parse::<u16>().is_ok());
    port.is_empty() || port.iter().all(u8::is_ascii_digit) && number()
}

#[cfg(test)]
mod tests {
    use super::{is_same, is_valid};

    #[test]
    fn authority_is_a_host_with_an_optional_port() {
        for valid in ["a", "a:1", "a:", "[::1]", "[::1]:80", "a%20b", "a_b", "A."] {
            assert!(is_valid(valid.as_bytes()), "{valid}");
        }
        assert!(is_valid(b"127.0.0.1:80"));
        for invalid in [
            "", ":80", "a b", "a:b", "a:1:2", "::1", "[::1", "::1]", "[::1]x:8", "[a]", "u@a",
            "a/b", "a:65536", "a:+1", "%4", "%4g", "ä", "a\"", "<a>",
        ] {
            assert!(!is_valid(invalid.as_bytes()), "{invalid}");
        }
    }

    #[test]
    fn authorities_compare_without_case_and_default_port() {
        assert!(is_same(b"a:80", b"A", Some("http")));
        assert!(is_same(b"[::a]", b"[::A]:443", Some("https")));
        assert!(!is_same(b"a:443", b"a", Some("http")));
        assert!(!is_same(b"a:1", b"b:1", None));
    }
}

//! The check of every URL before a request: the guard against server-side request forgery (SSRF).

use std::net::IpAddr;

use axum::http::Uri;
use axum::http::uri::Scheme;

/// Parses a URL to which a request may be sent: `https`, or `http` on the loopback interface if that is permitted.
pub(crate) fn permitted(url: &str, http_on_loopback: bool) -> Result<Uri, String> {
    let address: Uri = url
        .parse()
        .map_err(|error| format!("`{url}` is not a URL: {error}"))?;
    // A relative URL has no host, and is refused below together with an empty one.
    let host = address.host().unwrap_or_default();
    // User information could make `https://trusted@other` look like a URL of the trusted host.
    let authority = address.authority();
    let has_user = authority.is_some_and(|it| it.as_str().contains('@'));
    // `Uri` drops a fragment silently.
    if host.is_empty() || has_user || url.contains('#') {
        return Err(format!(
            "`{url}` is not an absolute URL without user and fragment"
        ));
    }
    let secure = address.scheme() == Some(&Scheme::HTTPS);
    let local = address.scheme() == Some(&Scheme::HTTP) && is_loopback(host);
    // On the loopback interface nobody else can read or alter the request.
    if secure || local && http_on_loopback {
        return Ok(address);
    }
    // The setting is suggested only where it would help.
    Err(if local {
        format!("`{url}` is not `https`; permit it with `http_on_loopback`, for tests alone")
    } else {
        format!("`{url}` is not `https`")
    })
}

/// Tests for a host on the loopback interface, without a DNS lookup: its answer may differ at the connection.
fn is_loopback(host: &str) -> bool {
    // `Uri` keeps the brackets of an IPv6 address.
    let literal = host.trim_start_matches('[').trim_end_matches(']');
    let address: Result<IpAddr, _> = literal.parse();
    // Names other than `localhost` could resolve to any address.
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::permitted;

    #[test]
    fn https_is_permitted_for_every_host() {
        for url in ["https://h", "https://h:8443/realms/a", "https://127.0.0.1/"] {
            assert!(permitted(url, false).is_ok(), "{url}");
        }
    }

    #[test]
    fn http_on_loopback_needs_its_setting() {
        for url in [
            "http://127.0.0.1:1/a",
            "http://[::1]:1",
            "http://localhost:1",
        ] {
            assert!(permitted(url, true).is_ok(), "{url}");
            let error = permitted(url, false).unwrap_err();
            assert!(error.contains("http_on_loopback"), "{error}");
        }
    }

    #[test]
    fn other_urls_are_refused() {
        for url in [
            "",
            "h",
            "/path",
            "h:443",
            "http://h",
            "http://10.0.0.1",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://2130706433",
            "http://[::ffff:127.0.0.1]",
            "http://169.254.169.254/latest",
            "ftp://127.0.0.1",
            "file:///etc/passwd",
            "https://user:password@h",
            "https://h/#fragment",
            "https://",
            "https://h h",
        ] {
            assert!(permitted(url, true).is_err(), "{url}");
        }
    }
}

use axum::http::Uri;

use crate::error::excerpt;

/// The hosts whose port is free: programs on a device take whichever they get (RFC 8252, section
/// 7.3). A name like `localhost` may resolve elsewhere.
const LOOPBACK: [&str; 2] = ["http://127.0.0.1", "http://[::1]"];

/// Why users cannot be sent back to `uri`.
pub(super) fn mistake_of(uri: &str) -> Option<String> {
    let shown = excerpt(uri);
    let visible = uri.bytes().all(|byte| byte.is_ascii_graphic());
    if !visible || uri.contains('#') || uri.contains('\\') {
        return Some(format!(
            "the redirect URI `{shown}` must be of visible ASCII characters, without a fragment"
        ));
    }
    let scheme = uri.split(':').next().unwrap_or_default();
    let sound = match scheme {
        "https" => has_host(uri),
        "http" => without_port(uri).is_some() || is_localhost(uri),
        private => uri.contains(':') && is_private_use(private),
    };
    (!sound).then(|| {
        format!(
            "the redirect URI `{shown}` must be `https`, `http` on `127.0.0.1`, `[::1]` or \
             `localhost`, or have a scheme of its own with a dot, like `com.example.app:/signed-in`"
        )
    })
}

fn has_host(uri: &str) -> bool {
    let parsed: Option<Uri> = uri.parse().ok();
    let authority = parsed.as_ref().and_then(Uri::authority);
    authority.is_some_and(|it| !it.host().is_empty() && !it.as_str().contains('@'))
}

fn is_localhost(uri: &str) -> bool {
    let parsed: Option<Uri> = uri.parse().ok();
    has_host(uri) && parsed.is_some_and(|uri| uri.host() == Some("localhost"))
}

/// Schemes that programs on a device take for themselves (RFC 8252, section 7.1).
fn is_private_use(scheme: &str) -> bool {
    let permitted =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    let starts_well = scheme.starts_with(|first: char| first.is_ascii_lowercase());
    scheme.contains('.') && starts_well && scheme.bytes().all(permitted)
}

/// Whether a request may name `asked` where `registered` is registered.
pub(in crate::oauth2::server) fn matches(registered: &str, asked: &str) -> bool {
    let without_port = without_port(registered).zip(without_port(asked));
    registered == asked || without_port.is_some_and(|(registered, asked)| registered == asked)
}

/// A URI on this machine without its port: the host, and what follows.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    let (host, rest) = LOOPBACK
        .iter()
        .find_map(|host| Some((*host, uri.strip_prefix(host)?)))?;
    let rest = match rest.strip_prefix(':') {
        None => rest,
        Some(rest) => {
            let end = rest.find(|digit: char| !digit.is_ascii_digit());
            let (port, rest) = rest.split_at(end.unwrap_or(rest.len()));
            let _port: u16 = port.parse().ok()?;
            rest
        }
    };
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((host, rest))
}

/// The origin of a web page; `None` for what is none.
pub(in crate::oauth2::server) fn origin(uri: &str) -> Option<String> {
    let parsed: Uri = uri.parse().ok()?;
    let scheme = parsed
        .scheme_str()
        .filter(|it| matches!(*it, "https" | "http"))?;
    Some(format!("{scheme}://{}", parsed.authority()?))
}

/// What a page's policy must let its form lead to: browsers check redirects, too.
pub(in crate::oauth2::server) fn form_action(uri: &str) -> String {
    let scheme = || format!("{}:", uri.split(':').next().unwrap_or_default());
    // A policy has no words for an address of IPv6.
    let origin = origin(uri).filter(|origin| !origin.contains('['));
    origin.unwrap_or_else(scheme)
}

#[cfg(test)]
mod tests {
    use super::{form_action, matches, mistake_of};

    #[test]
    fn only_where_users_are_safe_to_be_sent_can_be_registered() {
        for sound in [
            "https://app.example.com/cb?tenant=1",
            "https://app.example.com:8443",
            "http://127.0.0.1:8080/cb",
            "http://[::1]/cb",
            "http://127.0.0.1",
            "http://localhost:3000/cb",
            "com.example.app:/cb",
        ] {
            assert_eq!(mistake_of(sound), None, "{sound}");
        }
        for mistaken in [
            "",
            "/cb",
            "https://",
            "https:///cb",
            "https://app.example.com/cb#top",
            "https://user@app.example.com/cb",
            "https://app.example.com\\@evil.example/cb",
            "https://app.example.com/c b",
            "http://app.example.com/cb",
            "http://127.0.0.1@evil.example/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://localhost.evil.example/cb",
            "http://127.0.0.1:99999/cb",
            "javascript:alert(1)",
            "data:text/html,x",
            "app:/cb",
            "com.example.app",
        ] {
            assert!(mistake_of(mistaken).is_some(), "{mistaken}");
        }
    }

    #[test]
    fn only_the_port_of_this_machine_is_free() {
        for (registered, asked) in [
            ("https://h/cb", "https://h/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:50001/cb"),
            ("http://127.0.0.1:1/cb?a=b", "http://127.0.0.1:2/cb?a=b"),
            ("http://[::1]/cb", "http://[::1]:9/cb"),
        ] {
            assert!(matches(registered, asked), "{asked}");
        }
        for (registered, asked) in [
            ("https://h/cb", "https://h/cb/"),
            ("https://h/cb", "https://h:444/cb"),
            ("https://h/cb", "https://h/cb?a=b"),
            ("https://h/cb", "https://h/cb#"),
            ("https://h/cb", "HTTPS://h/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:50001/other"),
            ("http://127.0.0.1/cb", "http://[::1]:50001/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:@evil.example/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.2:1/cb"),
            ("http://127.0.0.1/cb", "https://127.0.0.1:1/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:70000/cb"),
            ("http://localhost/cb", "http://localhost:50001/cb"),
        ] {
            assert!(!matches(registered, asked), "{asked}");
        }
    }

    #[test]
    fn the_policy_names_an_origin_or_a_scheme() {
        assert_eq!(form_action("https://h:8443/cb?a=b"), "https://h:8443");
        assert_eq!(form_action("http://[::1]:1/cb"), "http:");
        assert_eq!(form_action("com.example.app:/cb"), "com.example.app:");
    }
}

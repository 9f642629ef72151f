//! Redirect URIs: validation, exact matching, and the origins that they give to CORS and CSP.

#[cfg(test)]
mod tests;

use std::net::Ipv6Addr;

use resource_runtime::shared::truncate_for_display;

use crate::form::Form;

/// Hosts whose port is not compared, because programs on a device listen on any free port (RFC
/// 8252, section 7.3). `localhost` is not among them: the name may resolve to another machine.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "[::1]"];

/// Parameters of authorization responses, which a redirect URI must not have itself.
const RESPONSE_PARAMETERS: [&str; 6] = [
    "code",
    "state",
    "iss",
    "error",
    "error_description",
    "error_uri",
];

/// The problem of a redirect URI, if it cannot be registered.
pub(super) fn problem_of(uri: &str) -> Option<String> {
    let shown = truncate_for_display(uri);
    if !uri.bytes().all(is_uri_character) {
        return Some(format!(
            "the redirect URI `{shown}` must be of the characters of a URI, without a fragment, \
             `'`, `*` and `;`"
        ));
    }
    // Plain `http` would show the code to the network; on the user's own device it crosses none.
    let valid = match Address::parse(uri) {
        Some(address) if address.scheme == "https" => true,
        Some(address) => LOOPBACK.contains(&address.host) || address.host == "localhost",
        None => private_use_scheme(uri).is_some(),
    };
    if !valid {
        return Some(format!(
            "the redirect URI `{shown}` must be `https`, `http` on `127.0.0.1`, `[::1]` or \
             `localhost`, or have a scheme of its own with a dot, like `com.example.app:/signed-in`"
        ));
    }
    // A registered parameter of these names would come first, and a client could read it as the
    // answer.
    let (_, query) = uri.split_once('?')?;
    let query = Form::parse(query);
    let mut names = RESPONSE_PARAMETERS.into_iter();
    let reserved = names.find(|name| query.has(name))?;
    Some(format!(
        "the redirect URI `{shown}` must not have the parameter `{reserved}`, which the answer has"
    ))
}

/// Tests for the characters of URIs (RFC 3986, section 2) but `;`, `'` and `*`, which have a meaning in a content
/// security policy (a comma is permitted: only the origin or the scheme gets into a policy), and `#`, which starts a
/// fragment.
fn is_uri_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&()+,=%".contains(&byte)
}

/// The scheme of a URI with a private-use scheme, which programs on a device register (RFC 8252,
/// section 7.1).
fn private_use_scheme(uri: &str) -> Option<&str> {
    // The dot demands a reversed domain name, which belongs to somebody, unlike `myapp`.
    let (scheme, _) = uri.split_once(":/")?;
    let permitted =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    let starts_well = scheme.starts_with(|first: char| first.is_ascii_lowercase());
    let valid = scheme.contains('.') && starts_well && scheme.bytes().all(permitted);
    valid.then_some(scheme)
}

/// Compares the redirect URI of a request with a registered one: exactly, but for the port of a
/// loopback address (RFC 9700, section 2.1).
pub(crate) fn uri_matches(registered: &str, requested: &str) -> bool {
    // If either URI is no loopback address, only equality is left.
    let without_port = without_port(registered).zip(without_port(requested));
    registered == requested
        || without_port.is_some_and(|(registered, requested)| registered == requested)
}

/// Host and remainder of a loopback URI, without its port.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    let address = Address::parse(uri)?;
    let is_loopback = address.scheme == "http" && LOOPBACK.contains(&address.host);
    is_loopback.then_some((address.host, address.rest))
}

/// Tests that any program on the user's device can receive the redirect, so that nothing proves
/// that it is the client (RFC 8252, section 8.6).
pub(crate) fn is_on_device(uri: &str) -> bool {
    Address::parse(uri).is_none_or(|address| address.scheme == "http")
}

/// The origin of an HTTP URI in the form that browsers send; `None` for a private-use scheme.
pub(crate) fn origin(uri: &str) -> Option<String> {
    let address = Address::parse(uri)?;
    let (scheme, host) = (address.scheme, address.host.to_ascii_lowercase());
    // Browsers leave the default port out of the origin.
    let default_port = if scheme == "https" { 443 } else { 80 };
    let port = address.port.filter(|port| *port != default_port);
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{scheme}://{host}{port}"))
}

/// The source for `form-action` in the policy of a page whose form is redirected to the client:
/// browsers check redirects, too.
pub(crate) fn form_action(uri: &str) -> String {
    let scheme = || format!("{}:", uri.split(':').next().unwrap_or_default());
    // CSP cannot express an IPv6 address, so its scheme alone is allowed.
    let origin = origin(uri).filter(|origin| !origin.contains('['));
    origin.unwrap_or_else(scheme)
}

/// An HTTP URI in its parts. The rules are stricter than those of RFC 3986 so that no browser reads
/// another host from it.
struct Address<'uri> {
    scheme: &'uri str,
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    host: &'uri str,
    port: Option<u16>,
    /// The path and what follows it.
    rest: &'uri str,
}

impl<'uri> Address<'uri> {
    fn parse(uri: &'uri str) -> Option<Self> {
        let (scheme, rest) = uri.split_once("://")?;
        if !["https", "http"].contains(&scheme) {
            return None;
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (host, port) = host_and_port(authority)?;
        Some(Self {
            scheme,
            host,
            port,
            rest,
        })
    }
}

fn host_and_port(authority: &str) -> Option<(&str, Option<u16>)> {
    // The colons of an IPv6 address are inside of its brackets, so the port begins behind them.
    let end_of_literal = authority.find(']').map(|end| end + 1);
    let end = end_of_literal.or_else(|| authority.find(':'));
    let (host, port) = authority.split_at(end.unwrap_or(authority.len()));
    let port = match port.strip_prefix(':') {
        Some(port) => Some(parse_port(port)?),
        None if port.is_empty() => None,
        // Something other than a port follows the brackets.
        None => return None,
    };
    is_host(host).then_some((host, port))
}

/// A port from 1 to 65535 without sign or leading zeros.
fn parse_port(text: &str) -> Option<u16> {
    let port: u16 = text.parse().ok()?;
    (port > 0 && port.to_string() == text).then_some(port)
}

fn is_host(host: &str) -> bool {
    let literal = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    if let Some(literal) = literal {
        return literal.parse::<Ipv6Addr>().is_ok();
    }
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    // User information has an `@`, and is refused with all other characters that no host name has.
    host.starts_with(|first: char| first.is_ascii_alphanumeric()) && host.bytes().all(permitted)
}

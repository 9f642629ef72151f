#[cfg(test)]
mod tests;

use std::net::Ipv6Addr;

use resource_runtime::seam::truncate_for_display;

use crate::form::Form;

/// The hosts whose port is free: programs on a device take whichever they get (RFC 8252, section
/// 7.3). A name like `localhost` may resolve elsewhere.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "[::1]"];

/// What we send users back with.
const OURS: [&str; 6] = [
    "code",
    "state",
    "iss",
    "error",
    "error_description",
    "error_uri",
];

/// Why users cannot be sent back to `uri`.
pub(super) fn mistake_of(uri: &str) -> Option<String> {
    let shown = truncate_for_display(uri);
    if !uri.bytes().all(is_plain) {
        return Some(format!(
            "the redirect URI `{shown}` must be of the characters of a URI, without a fragment, \
             `'`, `*` and `;`"
        ));
    }
    let sound = match Address::parse(uri) {
        Some(address) if address.scheme == "https" => true,
        Some(address) => LOOPBACK.contains(&address.host) || address.host == "localhost",
        None => private_use(uri).is_some(),
    };
    if !sound {
        return Some(format!(
            "the redirect URI `{shown}` must be `https`, `http` on `127.0.0.1`, `[::1]` or \
             `localhost`, or have a scheme of its own with a dot, like `com.example.app:/signed-in`"
        ));
    }
    let (_, query) = uri.split_once('?')?;
    let query = Form::parse(query);
    let taken = OURS.into_iter().find(|name| query.names(name))?;
    Some(format!(
        "the redirect URI `{shown}` must not have the parameter `{taken}`, which the answer has"
    ))
}

/// The characters of URIs (RFC 3986, section 2), but for those with which a page's policy would
/// go on.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&()+,=%".contains(&byte)
}

/// The scheme, where it is one that programs on a device take for themselves (RFC 8252, section
/// 7.1).
fn private_use(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(":/")?;
    let permitted =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    let starts_well = scheme.starts_with(|first: char| first.is_ascii_lowercase());
    let sound = scheme.contains('.') && starts_well && scheme.bytes().all(permitted);
    sound.then_some(scheme)
}

/// Whether a request may name `asked` where `registered` is registered.
pub(crate) fn matches(registered: &str, asked: &str) -> bool {
    let without_port = without_port(registered).zip(without_port(asked));
    registered == asked || without_port.is_some_and(|(registered, asked)| registered == asked)
}

/// A URI on this machine without its port: the host, and what follows.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    let address = Address::parse(uri)?;
    let here = address.scheme == "http" && LOOPBACK.contains(&address.host);
    here.then_some((address.host, address.rest))
}

/// Whether any program on the user's device can be there, so that nothing tells that it is the
/// client (RFC 8252, section 8.6).
pub(crate) fn is_on_device(uri: &str) -> bool {
    Address::parse(uri).is_none_or(|address| address.scheme == "http")
}

/// The origin of a web page, as browsers write it; `None` for what is none.
pub(crate) fn origin(uri: &str) -> Option<String> {
    let address = Address::parse(uri)?;
    let (scheme, host) = (address.scheme, address.host.to_ascii_lowercase());
    let usual = if scheme == "https" { 443 } else { 80 };
    let port = address.port.filter(|port| *port != usual);
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{scheme}://{host}{port}"))
}

/// What a page's policy must let its form lead to: browsers check redirects, too.
pub(crate) fn form_action(uri: &str) -> String {
    let scheme = || format!("{}:", uri.split(':').next().unwrap_or_default());
    // A policy has no words for an address of IPv6.
    let origin = origin(uri).filter(|origin| !origin.contains('['));
    origin.unwrap_or_else(scheme)
}

/// A URI with a host, taken apart by rules that leave no two readings.
struct Address<'uri> {
    scheme: &'uri str,
    /// A name, an address, or one of IPv6 in brackets.
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
    let end_of_literal = authority.find(']').map(|end| end + 1);
    let end = end_of_literal.or_else(|| authority.find(':'));
    let (host, port) = authority.split_at(end.unwrap_or(authority.len()));
    let port = match port.strip_prefix(':') {
        Some(port) => Some(port_of(port)?),
        None if port.is_empty() => None,
        None => return None,
    };
    is_host(host).then_some((host, port))
}

/// 1 to 65535, written in one way.
fn port_of(text: &str) -> Option<u16> {
    let port: u16 = text.parse().ok()?;
    (port > 0 && port.to_string() == text).then_some(port)
}

fn is_host(host: &str) -> bool {
    let literal = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    if let Some(literal) = literal {
        return literal.parse::<Ipv6Addr>().is_ok();
    }
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    host.starts_with(|first: char| first.is_ascii_alphanumeric()) && host.bytes().all(permitted)
}

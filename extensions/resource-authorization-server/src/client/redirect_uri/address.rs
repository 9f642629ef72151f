use std::net::Ipv6Addr;

/// A URI with a host, taken apart by rules that leave no two readings.
pub(super) struct Address<'uri> {
    pub(super) scheme: &'uri str,
    /// A name, an address, or one of IPv6 in brackets.
    pub(super) host: &'uri str,
    pub(super) port: Option<u16>,
    /// The path and what follows it.
    pub(super) rest: &'uri str,
}

impl<'uri> Address<'uri> {
    pub(super) fn parse(uri: &'uri str) -> Option<Self> {
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

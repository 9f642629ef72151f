//! Address of a caller, and a client at an address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::Extensions;

use crate::client::is_id;

/// Address of the caller behind a proxy. A layer of the host puts it into the extensions of each
/// request, from a header that the proxy alone can set.
///
/// ```
/// use axum::Router;
/// use axum::extract::Request;
/// use axum::middleware::map_request;
/// use resource_authorization_server::CallerAddress;
///
/// /// The last address of the last line is the one that our own proxy saw: proxies append to the
/// /// line that a caller sent, or add a line.
/// async fn set_caller_address(mut request: Request) -> Request {
///     let forwarded = request.headers().get_all("x-forwarded-for");
///     let last = forwarded.iter().next_back();
///     let last = last.and_then(|it| it.to_str().ok()?.rsplit(',').next());
///     if let Some(address) = last.and_then(|it| it.trim().parse().ok()) {
///         request.extensions_mut().insert(CallerAddress(address));
///     }
///     request
/// }
///
/// fn behind_the_proxy(routes: Router) -> Router {
///     routes.layer(map_request(set_caller_address))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerAddress(pub IpAddr);

impl CallerAddress {
    /// The address that the rate limits count a request for: a `CallerAddress` of the request, else
    /// the peer of the connection where [`serve`](resource_runtime::serve) serves. IPv6 addresses
    /// are reduced to their network (/64), which is what one subscriber has.
    ///
    /// A host should count failed logins by user name and address together. Counted by the name
    /// alone, anybody could lock a user out from elsewhere.
    ///
    /// ```
    /// use axum::http::Extensions;
    /// use resource_authorization_server::CallerAddress;
    ///
    /// let mut request = Extensions::new();
    /// assert_eq!(CallerAddress::of(&request), None);
    /// request.insert(CallerAddress("2001:db8:1:2:3:4:5:6".parse()?));
    /// assert_eq!(CallerAddress::of(&request), Some(CallerAddress("2001:db8:1:2::".parse()?)));
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    #[must_use]
    pub fn of(request: &Extensions) -> Option<Self> {
        caller_address(request).map(Self)
    }
}

/// A claimed client id at an address; the client may not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ClientAtAddress {
    pub(super) client_id: String,
    pub(super) address: IpAddr,
}

impl ClientAtAddress {
    /// All invalid ids share one entry, so that they need no memory each.
    pub(super) fn new(client_id: &str, address: IpAddr) -> Self {
        let valid = if is_id(client_id) { client_id } else { "" };
        let client_id = valid.to_owned();
        Self { client_id, address }
    }
}

/// The address that a request is counted for.
pub(crate) fn caller_address(extensions: &Extensions) -> Option<IpAddr> {
    // The host knows its proxy; the peer of the connection would be the same for all callers.
    let from_host = extensions.get::<CallerAddress>().map(|it| it.0);
    let peer = || Some(extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip());
    from_host.or_else(peer).map(network)
}

/// The network (/64) of an IPv6 address: a subscriber has all its addresses and could use a new one
/// for each request.
fn network(address: IpAddr) -> IpAddr {
    // A dual-stack socket reports IPv4 peers as `::ffff:a.b.c.d`; without this they would all be
    // one network.
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::Extensions;

use crate::client::is_id;

/// Whose request it is, where not whose connection brought it: behind a proxy a layer of the host
/// puts it into the extensions of each request, from a header that the proxy alone can set.
///
/// ```
/// use axum::Router;
/// use axum::extract::Request;
/// use axum::middleware::map_request;
/// use resource_authorization_server::CallerAddress;
///
/// /// The last address of the last line is the one that our own proxy saw: it may add to the line
/// /// that a caller sent, or send one more.
/// async fn tell_address(mut request: Request) -> Request {
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
///     routes.layer(map_request(tell_address))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerAddress(pub IpAddr);

impl CallerAddress {
    /// The address that the limits count a request for: what a layer told, else that of the peer
    /// where [`serve`](resource_runtime::serve) serves. Of an IPv6 address it is the network (/64), which is
    /// what one subscriber has.
    ///
    /// A host counts failed logins by it, for each name at each address alone: counted by the name
    /// alone, anybody could keep somebody out from elsewhere.
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
        caller(request).map(Self)
    }
}

/// Who says to be a client, whether there is such a client or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Asking {
    pub(super) client: String,
    pub(super) address: IpAddr,
}

impl Asking {
    /// `None` where no address is known. All that no client can be called is one.
    pub(super) fn new(client: &str, extensions: &Extensions) -> Option<Self> {
        let client = Some(client).filter(|client| is_id(client));
        let client = client.unwrap_or_default().to_owned();
        caller(extensions).map(|address| Self { client, address })
    }
}

/// Whom a request is counted for.
pub(crate) fn caller(extensions: &Extensions) -> Option<IpAddr> {
    let told = extensions.get::<CallerAddress>().map(|told| told.0);
    let peer = || Some(extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip());
    told.or_else(peer).map(network)
}

/// What one subscriber has of IPv6 is a network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

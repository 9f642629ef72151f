use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::Extensions;

/// Whose request it is, where not whose connection brought it: behind a proxy a layer of the host
/// puts it into the extensions of each request, from a header that the proxy alone can set.
///
/// ```
/// use axum::Router;
/// use axum::extract::Request;
/// use axum::middleware::map_request;
/// use resource_runtime::oauth2::server::CallerAddress;
///
/// /// The last address is the one that our own proxy saw.
/// async fn tell_address(mut request: Request) -> Request {
///     let forwarded = request.headers().get("x-forwarded-for");
///     let last = forwarded.and_then(|it| it.to_str().ok()?.rsplit(',').next());
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

/// Who says to be a client.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::oauth2::server) struct Asking {
    /// `None` for all who are no client of ours.
    client: Option<String>,
    pub(super) address: Option<IpAddr>,
}

impl Asking {
    pub(in crate::oauth2::server) fn new(client: Option<String>, extensions: &Extensions) -> Self {
        let address = address(extensions);
        Self { client, address }
    }
}

impl Display for Asking {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let client = self.client.as_deref().unwrap_or("one that is not known");
        match self.address {
            Some(address) => write!(formatter, "{client} at {address}"),
            None => formatter.write_str(client),
        }
    }
}

/// Whom a request is counted for.
pub(super) fn address(extensions: &Extensions) -> Option<IpAddr> {
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

/// How often clients and addresses may ask for tokens and authorization, and about tokens, and fail
/// to say who they are.
///
/// An address is counted where it is known: [`serve`](resource_runtime::serve) tells it. Behind a proxy that
/// address is the proxy's, and everybody has the same: say whose it is with
/// [`CallerAddress`](super::CallerAddress).
///
/// ```
/// use resource_authorization_server::RateLimits;
///
/// let limits = RateLimits::new().per_minute_and_client(60);
/// let elsewhere = RateLimits::unlimited().failures_per_minute(10);
/// # drop((limits, elsewhere));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    pub(crate) per_client: Option<u32>,
    pub(crate) per_address: Option<u32>,
    pub(crate) failures: Option<u32>,
}

impl RateLimits {
    /// 1,200 requests a minute for a client, 600 for an address, and 6,000 of an address about
    /// tokens, all of which may come at once, and 30 failures.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            per_client: Some(1200),
            per_address: Some(600),
            failures: Some(30),
        }
    }

    /// No limit but those that are set then: for services before which another counts.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self {
            per_client: None,
            per_address: None,
            failures: None,
        }
    }

    /// So many requests a minute for tokens, for each client that proved who it is by its secret.
    /// A client without one is counted at each address alone: anybody can say to be that client,
    /// and nobody shall use up from elsewhere what it may ask.
    #[must_use]
    pub const fn per_minute_and_client(mut self, requests: u32) -> Self {
        self.per_client = Some(requests);
        self
    }

    /// So many requests a minute for tokens and authorization for each address, and ten times as
    /// many to revoke or introspect tokens, which are counted apart: a token can be revoked when no
    /// more are to be had. The addresses of one IPv6 network (/64) count as one.
    #[must_use]
    pub const fn per_minute_and_address(mut self, requests: u32) -> Self {
        self.per_address = Some(requests);
        self
    }

    /// So many times a minute may an address fail to prove that it is a certain client, before
    /// it is heard no more on behalf of that client for the rest of the minute; ten times as often
    /// for all clients together. No other address is kept out. A client that there is not is
    /// counted like one that there is.
    #[must_use]
    pub const fn failures_per_minute(mut self, failures: u32) -> Self {
        self.failures = Some(failures);
        self
    }
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::new()
    }
}

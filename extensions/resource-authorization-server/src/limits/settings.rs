//! Settings of the rate limits.

/// Rate limits for token and authorization requests, for introspections and revocations, and for
/// failed authentication of clients.
///
/// An address is counted where it is known: [`serve`](resource_runtime::serve) provides it. Behind
/// a proxy that is the address of the proxy, the same for everybody: set that of the caller with
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
    /// Allows 1,200 requests a minute for each client, 600 for each address, 6,000 introspections
    /// and revocations for each address, and 30 failed authentications. All of them may come at
    /// once.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            per_client: Some(1200),
            per_address: Some(600),
            failures: Some(30),
        }
    }

    /// Has no limits but those that are set afterwards: for services behind another rate limiter.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self {
            per_client: None,
            per_address: None,
            failures: None,
        }
    }

    /// Limits token requests a minute for each client that authenticated by its secret. A public
    /// client is counted at each address alone: anybody can claim to be that client, and could
    /// otherwise use up its limit from elsewhere.
    #[must_use]
    pub const fn per_minute_and_client(mut self, requests: u32) -> Self {
        self.per_client = Some(requests);
        self
    }

    /// Limits token and authorization requests a minute for each address. Ten times as many
    /// revocations and introspections are allowed and counted apart, so that a token can be revoked
    /// when the limit for new tokens is reached. The addresses of one IPv6 network (/64) count as
    /// one.
    #[must_use]
    pub const fn per_minute_and_address(mut self, requests: u32) -> Self {
        self.per_address = Some(requests);
        self
    }

    /// Limits failed authentications a minute of one client at one address; then that client is
    /// refused at that address for the rest of the minute. For all clients together an address may
    /// fail ten times as often. Other addresses are not affected. Unknown clients are counted like
    /// known ones.
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

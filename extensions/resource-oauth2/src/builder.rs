//! The builder of token verifiers.

use std::sync::Arc;
use std::time::Duration;

use resource_runtime::Error;

use crate::clock::SystemClock;
use crate::fetch::ClientSettings;
use crate::issuer::namespaces;
use crate::{Clock, Introspection, TokenVerifier, TrustedIssuer};

/// Largest clock skew: a clock that is off by more needs repair, not tolerance.
pub const MAX_LEEWAY: Duration = Duration::from_mins(2);

/// Largest timeout of requests to issuers, because requests of clients wait for them.
const MAX_TIMEOUT: Duration = Duration::from_secs(5);

/// Settings of a [`TokenVerifier`]; start from [`TokenVerifier::builder`].
#[derive(Debug)]
pub struct TokenVerifierBuilder {
    pub(super) issuers: Vec<TrustedIssuer>,
    pub(super) introspection: Option<Introspection>,
    pub(super) leeway: Duration,
    pub(super) lazy: bool,
    pub(super) client: ClientSettings,
    pub(super) clock: Arc<dyn Clock>,
}

impl TokenVerifierBuilder {
    pub(super) fn new() -> Self {
        Self {
            // The defaults are the strict ones: keys are fetched at the start, and from `https` alone.
            issuers: Vec::new(),
            introspection: None,
            leeway: Duration::from_secs(30),
            lazy: false,
            client: ClientSettings {
                http_on_loopback: false,
                timeout: MAX_TIMEOUT,
            },
            clock: Arc::new(SystemClock),
        }
    }

    /// Trusts a further issuer.
    #[must_use]
    pub fn issuer(mut self, issuer: TrustedIssuer) -> Self {
        self.issuers.push(issuer);
        self
    }

    /// Accepts opaque tokens, too: all tokens that are not signed. Without a trusted issuer, signed tokens are
    /// introspected as well.
    #[must_use]
    pub fn introspection(mut self, introspection: Introspection) -> Self {
        self.introspection = Some(introspection);
        self
    }

    /// Clock skew allowed between issuers and this service; 30 seconds by default, 2 minutes at most.
    #[must_use]
    pub const fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// Fetches the keys of the issuers with the first tokens; until the keys are there, responses are 503. By
    /// default `build` fetches them, and fails if it cannot.
    #[must_use]
    pub const fn lazy(mut self) -> Self {
        self.lazy = true;
        self
    }

    /// Timeout of a request to an issuer; 5 seconds by default, and at most.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.client.timeout = timeout;
        self
    }

    /// Allows `http` URLs of issuers on the loopback interface, for tests.
    #[must_use]
    pub const fn http_on_loopback(mut self) -> Self {
        self.client.http_on_loopback = true;
        self
    }

    /// The clock of the verifier; the system clock by default.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Builds the verifier and fetches the keys of its issuers. The error lists all problems of the settings, or
    /// all issuers without keys.
    pub async fn build(self) -> Result<TokenVerifier, Error> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        let lazy = self.lazy;
        // Creating the verifier fails if, for instance, the system has no root certificates.
        let verifier = TokenVerifier::new(self).map_err(Error::configuration)?;
        // By default a wrong URL fails the start of the service, not the first request.
        if !lazy {
            verifier.load_keys().await?;
        }
        Ok(verifier)
    }

    fn problems(&self) -> Vec<String> {
        let local = self.client.http_on_loopback;
        // All problems are collected, so that the host can fix them in one go.
        let of_issuers = self.issuers.iter().flat_map(|it| it.problems(local));
        let of_introspection = self.introspection.iter().flat_map(|it| it.problems(local));
        // A verifier that trusts nobody would refuse every request, which can only be a mistake.
        let trusts_nobody = self.issuers.is_empty() && self.introspection.is_none();
        let (leeway, timeout) = (self.leeway, self.client.timeout);
        let own = [
            trusts_nobody.then(|| "no issuer is trusted; name one with `.issuer(…)`".to_owned()),
            (leeway > MAX_LEEWAY)
                .then(|| format!("a leeway of {leeway:?} is too long; 120 seconds at most")),
            // A timeout of zero would fail every request to an issuer.
            (timeout > MAX_TIMEOUT || timeout.is_zero())
                .then(|| format!("a timeout of {timeout:?} is not above 0 and up to 5 seconds")),
        ];
        // Rules between issuers come last, when the faults of each one are listed.
        let of_names = namespaces::problems(&self.issuers, self.introspection.as_ref());
        let problems = of_issuers.chain(of_introspection);
        let problems = problems.chain(own.into_iter().flatten()).chain(of_names);
        problems.collect()
    }
}

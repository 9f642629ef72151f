use std::sync::Arc;
use std::time::Duration;

use resource_runtime::Error;

use crate::clock::SystemClock;
use crate::fetch::ClientSettings;
use crate::issuer::namespaces;
use crate::{Clock, Introspection, TokenVerifier, TrustedIssuer};

/// Clocks that differ by more are broken.
const LONGEST_LEEWAY: Duration = Duration::from_mins(2);

const LONGEST_TIMEOUT: Duration = Duration::from_secs(5);

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
            issuers: Vec::new(),
            introspection: None,
            leeway: Duration::from_secs(30),
            lazy: false,
            client: ClientSettings {
                http_on_loopback: false,
                timeout: LONGEST_TIMEOUT,
            },
            clock: Arc::new(SystemClock),
        }
    }

    /// Takes the tokens of this issuer too.
    #[must_use]
    pub fn issuer(mut self, issuer: TrustedIssuer) -> Self {
        self.issuers.push(issuer);
        self
    }

    /// Takes opaque tokens too: those that are no signed tokens, or, where no issuer is trusted
    /// to sign any, all.
    #[must_use]
    pub fn introspection(mut self, introspection: Introspection) -> Self {
        self.introspection = Some(introspection);
        self
    }

    /// By how much the clocks of issuers may differ from ours; 30 seconds by default, 2 minutes
    /// at most.
    #[must_use]
    pub const fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// Starts without the issuers' keys, which the first tokens make it ask for; until they are
    /// there clients are told 503. By default a service does not start without them.
    #[must_use]
    pub const fn lazy(mut self) -> Self {
        self.lazy = true;
        self
    }

    /// How long an issuer may take to answer; 5 seconds by default, and at most.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.client.timeout = timeout;
        self
    }

    /// Also asks issuers on this machine without TLS, for tests.
    #[must_use]
    pub const fn http_on_loopback(mut self) -> Self {
        self.client.http_on_loopback = true;
        self
    }

    /// Where the time is taken from; by default the system's clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The verifier, once it has the keys of its issuers. The error names every mistake of the
    /// settings, or every issuer without keys.
    pub async fn build(self) -> Result<TokenVerifier, Error> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        let lazy = self.lazy;
        let verifier = TokenVerifier::new(self).map_err(Error::configuration)?;
        if !lazy {
            verifier.load_keys().await?;
        }
        Ok(verifier)
    }

    fn problems(&self) -> Vec<String> {
        let local = self.client.http_on_loopback;
        let of_issuers = self.issuers.iter().flat_map(|it| it.problems(local));
        let of_introspection = self.introspection.iter().flat_map(|it| it.problems(local));
        let trusts_nobody = self.issuers.is_empty() && self.introspection.is_none();
        let (leeway, timeout) = (self.leeway, self.client.timeout);
        let own = [
            trusts_nobody.then(|| "no issuer is trusted; name one with `.issuer(…)`".to_owned()),
            (leeway > LONGEST_LEEWAY)
                .then(|| format!("a leeway of {leeway:?} is too long; 120 seconds at most")),
            (timeout > LONGEST_TIMEOUT || timeout.is_zero())
                .then(|| format!("a timeout of {timeout:?} is not above 0 and up to 5 seconds")),
        ];
        let of_names = namespaces::problems(&self.issuers, self.introspection.as_ref());
        let problems = of_issuers.chain(of_introspection);
        let problems = problems.chain(own.into_iter().flatten()).chain(of_names);
        problems.collect()
    }
}

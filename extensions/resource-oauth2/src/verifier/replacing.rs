use resource_runtime::Error;
use resource_runtime::seam::did_you_mean;

use super::TokenVerifier;
use crate::issuer::VerifyingIssuer;

impl TokenVerifier {
    /// Puts another key set in the place of the one that
    /// [`TrustedIssuer::with_keys`](crate::TrustedIssuer::with_keys) gave. What the
    /// former keys verified is forgotten.
    pub fn replace_keys(&self, issuer: &str, key_set: &str) -> Result<(), Error> {
        let replaced = self.known(issuer)?.replace_keys(key_set.as_bytes());
        replaced.map_err(|cause| mistake_of(issuer, &cause))
    }

    /// The same for the server of this service, which may have no key left.
    pub(crate) fn follow_keys(&self, issuer: &str, key_set: &str) -> Result<(), Error> {
        let replaced = self.known(issuer)?.follow_keys(key_set.as_bytes());
        replaced.map_err(|cause| mistake_of(issuer, &cause))
    }

    fn known(&self, issuer: &str) -> Result<&VerifyingIssuer, Error> {
        let known = self.shared.issuers.get(issuer);
        known.ok_or_else(|| {
            let names = self.shared.issuers.keys().map(String::as_str);
            let nearest = did_you_mean(issuer, names);
            Error::configuration(format!("issuer `{issuer}` is not trusted{nearest}"))
        })
    }
}

fn mistake_of(issuer: &str, cause: &str) -> Error {
    Error::configuration(format!("issuer `{issuer}`: {cause}"))
}

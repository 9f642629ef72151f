use std::sync::Arc;

use super::TrustedIssuer;
use crate::clock::Clock;
use crate::fetch::{Client, ClientSettings, Publication};
use crate::keys::{KeySet, KeySource};
use crate::token::TokenCache;

/// Where the keys of an issuer come from.
#[derive(Clone)]
pub(crate) enum KeyOrigin {
    Discovered,
    /// A key set at this address.
    At(String),
    /// This key set.
    Given(String),
    /// What the issuer and this service share.
    Secret(Vec<u8>),
}

impl TrustedIssuer {
    /// The source of its keys. Only one that is fetched needs the certificates of this system.
    pub(crate) fn key_source(
        &self,
        client: ClientSettings,
        cache: &Arc<TokenCache>,
        clock: &Arc<dyn Clock>,
    ) -> Result<KeySource, String> {
        let publication = self.publication(client)?;
        let (cache, clock) = (Arc::clone(cache), Arc::clone(clock));
        let source = KeySource::new(self.issuer.clone(), publication, cache, clock);
        match &self.origin {
            KeyOrigin::Given(text) => source.give(KeySet::parse(text.as_bytes())?, text.as_bytes()),
            KeyOrigin::Secret(secret) => source.give(KeySet::of_secret(secret), secret),
            KeyOrigin::Discovered | KeyOrigin::At(_) => {}
        }
        Ok(source)
    }

    fn publication(&self, client: ClientSettings) -> Result<Option<Publication>, String> {
        let jwks_uri = match &self.origin {
            KeyOrigin::Discovered => None,
            KeyOrigin::At(url) => Some(url.clone()),
            KeyOrigin::Given(_) | KeyOrigin::Secret(_) => return Ok(None),
        };
        let issuer = self.issuer.clone();
        let client = Client::new(client)?;
        Ok(Some(Publication {
            client,
            issuer,
            jwks_uri,
        }))
    }
}

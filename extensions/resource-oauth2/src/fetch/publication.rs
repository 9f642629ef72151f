use super::client::Answer;
use super::{Client, discovery};
use crate::crypto::{Digest, digest};
use crate::keys::{KeySet, lifetime};

/// Where an issuer publishes its keys.
pub(crate) struct Publication {
    pub(crate) client: Client,
    pub(crate) issuer: String,
    /// In place of what discovery tells.
    pub(crate) jwks_uri: Option<String>,
}

/// What an issuer published.
pub(crate) struct Published {
    pub(crate) keys: KeySet,
    pub(crate) digest: Digest,
    /// In seconds.
    pub(crate) lifetime: i64,
}

impl Publication {
    /// Asks for the keys; the time limit is for all that this takes together.
    pub(crate) async fn fetch(&self) -> Result<Published, String> {
        let fetched = tokio::time::timeout(self.client.timeout(), self.fetch_keys()).await;
        fetched.unwrap_or_else(|_| Err(String::from("the issuer did not answer in time")))
    }

    async fn fetch_keys(&self) -> Result<Published, String> {
        let url = match &self.jwks_uri {
            Some(url) => url.clone(),
            None => self.discover().await?,
        };
        let answer = self.client.get(&url).await?;
        published(&answer).map_err(|cause| format!("`{url}`: {cause}"))
    }

    /// Each time anew: an issuer may move its keys.
    async fn discover(&self) -> Result<String, String> {
        let mut causes = Vec::new();
        for url in discovery::addresses(&self.issuer)? {
            match self.jwks_uri_of(&url).await {
                Ok(jwks_uri) => return Ok(jwks_uri),
                Err(cause) => causes.push(cause),
            }
        }
        Err(causes.join("; "))
    }

    async fn jwks_uri_of(&self, url: &str) -> Result<String, String> {
        let answer = self.client.get(url).await?;
        let found = discovery::jwks_uri(&answer.body, &self.issuer);
        found.map_err(|cause| format!("`{url}`: {cause}"))
    }
}

fn published(answer: &Answer) -> Result<Published, String> {
    Ok(Published {
        keys: KeySet::parse(&answer.body)?,
        digest: digest(&answer.body),
        lifetime: lifetime(&answer.headers),
    })
}

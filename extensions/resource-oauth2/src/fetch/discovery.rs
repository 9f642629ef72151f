//! The documents where an issuer tells what it is and where its keys are.

use axum::http::Uri;
use serde::Deserialize;

use super::Client;
use crate::crypto::{Digest, digest};
use crate::keys::{KeySet, lifetime};

#[derive(Deserialize)]
struct Document {
    issuer: String,
    jwks_uri: String,
}

/// Where an issuer publishes what it is: as an authorization server (RFC 8414, section 3.1) and
/// as an OpenID provider (OpenID Connect Discovery, section 4).
fn addresses(issuer: &str) -> Result<[String; 2], String> {
    let address: Uri = issuer
        .parse()
        .map_err(|error| format!("`{issuer}` is not a URL: {error}"))?;
    let path = address.path().trim_end_matches('/');
    let issuer = issuer.trim_end_matches('/');
    let host = issuer.strip_suffix(path).unwrap_or(issuer);
    Ok([
        format!("{host}/.well-known/oauth-authorization-server{path}"),
        format!("{issuer}/.well-known/openid-configuration"),
    ])
}

/// Where the document says that the keys are. It must be that of the issuer, byte for byte: else
/// one tenant of a host could speak for another.
fn jwks_uri(document: &[u8], issuer: &str) -> Result<String, String> {
    let document: Document = serde_json::from_slice(document)
        .map_err(|error| format!("it is not a discovery document: {error}"))?;
    if document.issuer == issuer {
        return Ok(document.jwks_uri);
    }
    let other = resource_runtime::seam::truncate_for_display(&document.issuer);
    Err(format!("it is the document of the issuer `{other}`"))
}

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
        let limit = self.client.settings.timeout;
        let fetched = tokio::time::timeout(limit, self.fetch_keys()).await;
        fetched.unwrap_or_else(|_| Err(String::from("the issuer did not answer in time")))
    }

    async fn fetch_keys(&self) -> Result<Published, String> {
        let url = match &self.jwks_uri {
            Some(url) => url.clone(),
            None => self.discover().await?,
        };
        let answer = self.client.get(&url).await?;
        Ok(Published {
            keys: KeySet::parse(answer.body()).map_err(|cause| format!("`{url}`: {cause}"))?,
            digest: digest(answer.body()),
            lifetime: lifetime(answer.headers()),
        })
    }

    /// Each time anew: an issuer may move its keys.
    async fn discover(&self) -> Result<String, String> {
        let mut causes = Vec::new();
        for url in addresses(&self.issuer)? {
            match self.jwks_uri_of(&url).await {
                Ok(jwks_uri) => return Ok(jwks_uri),
                Err(cause) => causes.push(cause),
            }
        }
        Err(causes.join("; "))
    }

    async fn jwks_uri_of(&self, url: &str) -> Result<String, String> {
        let answer = self.client.get(url).await?;
        let found = jwks_uri(answer.body(), &self.issuer);
        found.map_err(|cause| format!("`{url}`: {cause}"))
    }
}

#[cfg(test)]
mod tests {
    use super::addresses;
    use super::jwks_uri;

    #[test]
    fn the_well_known_segment_stands_before_the_path_or_after_it() {
        for (issuer, authorization_server, provider) in [
            (
                "https://h",
                "https://h/.well-known/oauth-authorization-server",
                "https://h/.well-known/openid-configuration",
            ),
            (
                "https://t.auth0.com/",
                "https://t.auth0.com/.well-known/oauth-authorization-server",
                "https://t.auth0.com/.well-known/openid-configuration",
            ),
            (
                "https://h:8443/realms/r",
                "https://h:8443/.well-known/oauth-authorization-server/realms/r",
                "https://h:8443/realms/r/.well-known/openid-configuration",
            ),
        ] {
            let expected = [authorization_server, provider].map(str::to_owned);
            assert_eq!(addresses(issuer), Ok(expected));
        }
    }

    #[test]
    fn the_document_must_name_the_issuer_byte_for_byte() {
        let document = br#"{"issuer": "https://h/", "jwks_uri": "https://h/keys", "x": []}"#;
        assert_eq!(jwks_uri(document, "https://h/").unwrap(), "https://h/keys");
        let error = jwks_uri(document, "https://h").unwrap_err();
        assert!(error.contains("`https://h/`"), "{error}");
        for broken in [
            &b"<html>"[..],
            b"{}",
            b"[]",
            br#"{"issuer": "https://h/"}"#,
            b"",
        ] {
            assert!(jwks_uri(broken, "https://h/").is_err());
        }
    }
}

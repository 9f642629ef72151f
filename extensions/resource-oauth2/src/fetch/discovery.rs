//! Discovery of the JWKS URI of an issuer (RFC 8414, OpenID Connect Discovery), and fetching the JWKS.

use axum::http::Uri;
use serde::Deserialize;

use super::Client;
use crate::crypto::{Digest, digest};
use crate::keys::{KeySet, lifetime};

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

/// The metadata URLs of an issuer: as an authorization server (RFC 8414, section 3.1) and as an OpenID provider
/// (OpenID Connect Discovery, section 4).
fn metadata_urls(issuer: &str) -> Result<[String; 2], String> {
    let address: Uri = issuer
        .parse()
        .map_err(|error| format!("`{issuer}` is not a URL: {error}"))?;
    // RFC 8414 inserts the well-known segment before the path of the issuer, OpenID Connect appends it.
    let path = address.path().trim_end_matches('/');
    // A slash at the end of the issuer would be doubled in front of the appended segment.
    let issuer = issuer.trim_end_matches('/');
    let host = issuer.strip_suffix(path).unwrap_or(issuer);
    Ok([
        format!("{host}/.well-known/oauth-authorization-server{path}"),
        format!("{issuer}/.well-known/openid-configuration"),
    ])
}

/// The JWKS URI in a metadata document. Its `issuer` must be equal byte for byte (RFC 8414, section 3.3): otherwise
/// one tenant of a host could act as another.
fn jwks_uri(document: &[u8], issuer: &str) -> Result<String, String> {
    // A document names far more than these two members; the rest does not matter for keys.
    let document: Metadata = serde_json::from_slice(document)
        .map_err(|error| format!("it is not a discovery document: {error}"))?;
    if document.issuer == issuer {
        return Ok(document.jwks_uri);
    }
    // The name comes from another server, so it is shortened before it reaches the log.
    let other = resource_runtime::shared::truncate_for_display(&document.issuer);
    Err(format!("it is the document of the issuer `{other}`"))
}

/// The JWKS fetch of one issuer.
pub(crate) struct JwksFetch {
    pub(crate) client: Client,
    pub(crate) issuer: String,
    /// A configured JWKS URI; `None` to discover it.
    pub(crate) jwks_uri: Option<String>,
}

/// A fetched key set.
pub(crate) struct FetchedKeys {
    pub(crate) keys: KeySet,
    pub(crate) digest: Digest,
    /// Seconds until the next refresh.
    pub(crate) lifetime: i64,
}

impl JwksFetch {
    /// Fetches the keys; the timeout covers discovery and JWKS together.
    pub(crate) async fn fetch(&self) -> Result<FetchedKeys, String> {
        let limit = self.client.settings.timeout;
        // Discovery may need three requests, each with its own timeout, and requests of clients wait for
        // all of them.
        let fetched = tokio::time::timeout(limit, self.fetch_keys()).await;
        fetched.unwrap_or_else(|_| Err(String::from("the issuer did not respond in time")))
    }

    async fn fetch_keys(&self) -> Result<FetchedKeys, String> {
        // A URI from the settings spares the requests of discovery.
        let url = match &self.jwks_uri {
            Some(url) => url.clone(),
            None => self.discover().await?,
        };
        let response = self.client.get(&url).await?;
        Ok(FetchedKeys {
            // The URL is part of the message, because after discovery it is not one that the settings name.
            keys: KeySet::parse(response.body()).map_err(|cause| format!("`{url}`: {cause}"))?,
            // By the digest `KeySource` notices whether the set has changed.
            digest: digest(response.body()),
            lifetime: lifetime(response.headers()),
        })
    }

    /// Discovers the JWKS URI, at every refresh, since an issuer may move it.
    async fn discover(&self) -> Result<String, String> {
        // Either document will do, so the causes are told only if both fail.
        let mut causes = Vec::new();
        for url in metadata_urls(&self.issuer)? {
            match self.jwks_uri_of(&url).await {
                Ok(jwks_uri) => return Ok(jwks_uri),
                Err(cause) => causes.push(cause),
            }
        }
        Err(causes.join("; "))
    }

    async fn jwks_uri_of(&self, url: &str) -> Result<String, String> {
        let response = self.client.get(url).await?;
        let found = jwks_uri(response.body(), &self.issuer);
        found.map_err(|cause| format!("`{url}`: {cause}"))
    }
}

#[cfg(test)]
mod tests {
    use super::jwks_uri;
    use super::metadata_urls;

    #[test]
    fn well_known_segment_is_inserted_or_appended() {
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
            assert_eq!(metadata_urls(issuer), Ok(expected));
        }
    }

    #[test]
    fn metadata_must_name_the_issuer_byte_for_byte() {
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

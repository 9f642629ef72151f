use axum::http::Uri;
use serde::Deserialize;

#[derive(Deserialize)]
struct Document {
    issuer: String,
    jwks_uri: String,
}

/// Where an issuer publishes what it is: as an authorization server (RFC 8414, section 3.1) and
/// as an OpenID provider (OpenID Connect Discovery, section 4).
pub(super) fn addresses(issuer: &str) -> Result<[String; 2], String> {
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
pub(super) fn jwks_uri(document: &[u8], issuer: &str) -> Result<String, String> {
    let document: Document = serde_json::from_slice(document)
        .map_err(|error| format!("it is not a discovery document: {error}"))?;
    if document.issuer == issuer {
        return Ok(document.jwks_uri);
    }
    let other = resource_runtime::seam::excerpt(&document.issuer);
    Err(format!("it is the document of the issuer `{other}`"))
}

#[cfg(test)]
mod tests {
    use super::{addresses, jwks_uri};

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

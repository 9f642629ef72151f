//! The challenge of a refused request, for the header `WWW-Authenticate`.

use axum::http::HeaderValue;

use super::{Refusal, Scopes};

/// The content of the header `WWW-Authenticate` of a refused request (RFC 6750, section 3, and RFC 9728,
/// section 5.1).
///
/// Made once for the guarded space, it gives the header of every refusal:
///
/// ```
/// use resource_runtime::authorization::{Challenge, Refusal};
///
/// let challenge = Challenge::new()
///     .scopes("settings.read".parse().unwrap())
///     .resource_metadata("https://api.example.com/.well-known/oauth-protected-resource/api");
/// assert_eq!(
///     challenge.header(&Refusal::MissingToken).unwrap(),
///     "Bearer realm=\"api\", scope=\"settings.read\", resource_metadata=\
///      \"https://api.example.com/.well-known/oauth-protected-resource/api\"",
/// );
/// assert!(challenge.header(&Refusal::Unavailable).is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    realm: String,
    scopes: Scopes,
    resource_metadata: Option<String>,
}

impl Challenge {
    /// A challenge of the realm `api`.
    #[must_use]
    pub fn new() -> Self {
        Self {
            realm: String::from("api"),
            scopes: Scopes::default(),
            resource_metadata: None,
        }
    }

    /// The name of the guarded space; `api` by default.
    #[must_use]
    pub fn realm(mut self, realm: impl Into<String>) -> Self {
        self.realm = realm.into();
        self
    }

    /// The scopes that a client without a token should request.
    #[must_use]
    pub fn scopes(mut self, scopes: Scopes) -> Self {
        self.scopes = scopes;
        self
    }

    /// The URL of the metadata of the guarded resource (RFC 9728).
    #[must_use]
    pub fn resource_metadata(mut self, url: impl Into<String>) -> Self {
        self.resource_metadata = Some(url.into());
        self
    }

    /// The value of `WWW-Authenticate` for this refusal; none where a token would not help.
    #[must_use]
    pub fn header(&self, refusal: &Refusal) -> Option<HeaderValue> {
        let error = |code: &str| Some(("error", code.to_owned()));
        // An empty list is left out, since a parameter `scope` without a scope is invalid (RFC 6750,
        // section 3).
        let scope = |scopes: &Scopes| (!scopes.is_empty()).then(|| ("scope", scopes.to_string()));
        let parameters = match refusal {
            Refusal::Unavailable => return None,
            // A request without credentials gets no error code (RFC 6750, section 3.1).
            Refusal::MissingToken => [Some(("realm", self.realm.clone())), scope(&self.scopes)],
            // The code alone: the request itself shows the mistake.
            Refusal::MalformedHeader => [error("invalid_request"), None],
            Refusal::InvalidToken(_) => {
                // The description is the same for all invalid tokens, like the message of the error itself.
                let description = ("error_description", refusal.to_string());
                [error("invalid_token"), Some(description)]
            }
            // The scopes of the refusal, not those of the challenge: they are all that this request needs.
            Refusal::InsufficientScope(missing) => [error("insufficient_scope"), scope(missing)],
        };
        // Every challenge names the metadata, by which a client finds the issuer (RFC 9728, section 5.1).
        let metadata = self.resource_metadata.clone();
        let metadata = metadata.map(|url| ("resource_metadata", url));
        let parameters = parameters.into_iter().flatten().chain(metadata);
        let quoted: Vec<String> = parameters.map(quoted).collect();
        // Never an error, as `quoted` leaves only printable ASCII.
        HeaderValue::try_from(format!("Bearer {}", quoted.join(", "))).ok()
    }
}

impl Default for Challenge {
    fn default() -> Self {
        Self::new()
    }
}

/// A parameter with its value in quotes.
fn quoted((name, value): (&str, String)) -> String {
    // Only these characters may stand in a header; all others are left out.
    let sendable: String = value.chars().filter(|c| matches!(c, ' '..='~')).collect();
    // The backslash comes first, as the escaped quotes bring new ones.
    let escaped = sendable.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{name}=\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::Challenge;
    use crate::authorization::{InvalidToken, Refusal};

    fn header(refusal: &Refusal) -> String {
        let challenge = Challenge::new()
            .scopes("a".parse().unwrap())
            .resource_metadata("https://h/m");
        let header = challenge.header(refusal).unwrap();
        header.to_str().unwrap().to_owned()
    }

    #[test]
    fn every_refusal_has_the_parameters_of_its_kind() {
        assert_eq!(
            header(&Refusal::MissingToken),
            "Bearer realm=\"api\", scope=\"a\", resource_metadata=\"https://h/m\""
        );
        assert_eq!(
            header(&Refusal::MalformedHeader),
            "Bearer error=\"invalid_request\", resource_metadata=\"https://h/m\""
        );
        assert_eq!(
            header(&InvalidToken::Signature.into()),
            "Bearer error=\"invalid_token\", error_description=\"token is invalid, expired or \
             revoked\", resource_metadata=\"https://h/m\""
        );
        assert_eq!(
            header(&Refusal::InsufficientScope("b c".parse().unwrap())),
            "Bearer error=\"insufficient_scope\", scope=\"b c\", resource_metadata=\"https://h/m\""
        );
    }

    #[test]
    fn without_scopes_and_metadata_the_realm_stands_alone() {
        let challenge = Challenge::new().realm("say \"so\"\r\nx: ü\\");
        assert_eq!(
            challenge.header(&Refusal::MissingToken).unwrap(),
            "Bearer realm=\"say \\\"so\\\"x: \\\\\""
        );
    }
}

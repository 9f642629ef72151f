//! The log-in of the reference by an authorization code, and the page at which it ends.

use axum::http::Uri;

use super::asset::Asset;
use crate::authorization::SecurityScheme;
use crate::http::respond::Page;

/// The public client as which the reference logs people in.
#[derive(Debug)]
pub(crate) struct LogIn {
    pub(super) client_id: String,
    /// The origin of the token endpoint.
    pub(super) token_origin: String,
}

impl LogIn {
    /// The log-in of an API with these schemes, where one of them names a client for it.
    pub(crate) fn of(schemes: &[SecurityScheme]) -> Option<Self> {
        schemes.iter().find_map(|scheme| match scheme {
            SecurityScheme::OAuth2 {
                authorization_endpoint: Some(_),
                token_endpoint,
                docs_client: Some(client_id),
            } => Some(Self {
                client_id: client_id.clone(),
                token_origin: origin(token_endpoint)?,
            }),
            _ => None,
        })
    }
}

/// The origin of a URL, if it has only characters that mean nothing else in a content security policy.
fn origin(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?.as_str());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let is_plain = matches!(scheme, "https" | "http") && authority.bytes().all(is_plain);
    is_plain.then(|| format!("{scheme}://{authority}"))
}

/// `GET /docs/oauth2-redirect`: tells the reference what the authorization server has answered, and closes its window.
pub(super) fn page() -> String {
    let page = Page {
        title: "Log-in",
        head: &Asset::head_of_redirect(),
        body: "<h1>Log-in</h1>\n<p>The API reference goes on in the window from which you came; you can close this \
               one.</p>\n",
        ..Page::default()
    };
    page.html()
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn an_origin_adds_no_directive_to_a_policy() {
        for (url, expected) in [
            (
                "https://login.example.com/token",
                Some("https://login.example.com"),
            ),
            ("http://[::1]:8080/token", Some("http://[::1]:8080")),
            ("https://a;script-src/token", None),
            ("https://ann@example.com/token", None),
            ("ftp://example.com/token", None),
            ("/oauth/token", None),
        ] {
            assert_eq!(origin(url).as_deref(), expected, "{url}");
        }
    }
}

#![warn(unreachable_pub)]
#![doc = include_str!("../README.md")]

mod assets;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, Redirect};
use axum::routing::get;
use resource_runtime::Api;
use serde_json::json;

#[doc = include_str!("../docs/guide.md")]
pub mod guide {}

/// The pages, and what their service chooses about them.
#[derive(Debug, Clone)]
pub struct Browse {
    path: String,
    is_read_only: bool,
    client_id: Option<String>,
    issuer: Option<String>,
    scopes: Option<Vec<String>>,
    log_out: Option<String>,
}

impl Default for Browse {
    fn default() -> Self {
        Self {
            path: String::from("/browse"),
            is_read_only: false,
            client_id: None,
            issuer: None,
            scopes: None,
            log_out: None,
        }
    }
}

impl Browse {
    /// The pages at `/browse`, in which people change all that their token lets them change.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the pages to another path.
    ///
    /// ```
    /// use resource_browse::Browse;
    /// use resource_runtime::Api;
    ///
    /// let builder = Api::builder().routes(Browse::new().at("/data").routes());
    /// # drop(builder);
    /// ```
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = format!("/{}", path.into().trim_matches('/'));
        self
    }

    /// Leaves out of the pages what changes data. The API goes on taking changes from its other clients: what nobody may
    /// change is a rule of the API, like a scope.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Logs people in as this public client (RFC 6749, section 2.1): by an authorization code with PKCE (RFC 7636) at the
    /// authorization server that the OpenAPI document names, or at the [`issuer`](Self::issuer). The redirect URI of
    /// the client is the URL of the pages, like `https://notes.example.com/browse`.
    ///
    /// Without a client, the pages ask for an access token where the API needs one.
    #[must_use]
    pub fn client_id(mut self, client_id: impl Into<String>) -> Self {
        self.client_id = Some(client_id.into());
        self
    }

    /// Names an authorization server elsewhere by the URL of its issuer. The pages read its metadata (OpenID Connect
    /// Discovery 1.0, or RFC 8414), and may send requests to its origin, so it has to allow theirs (CORS).
    ///
    /// ```
    /// use resource_browse::Browse;
    ///
    /// let browse = Browse::new()
    ///     .client_id("browse")
    ///     .issuer("https://login.example.com/realms/main")
    ///     .scopes(["notes.read", "notes.write"]);
    /// # drop(browse);
    /// ```
    #[must_use]
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// Asks for these scopes at the log-in. By default they are those that the OpenAPI document names, which it does for the
    /// authorization server within the service.
    #[must_use]
    pub fn scopes(mut self, scopes: impl IntoIterator<Item: Into<String>>) -> Self {
        self.scopes = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// Names the page on which people end their session at the authorization server: a path of this service, or a URL. *Log
    /// out* opens it; without it, the next log-in may ask for no password.
    #[must_use]
    pub fn log_out(mut self, page: impl Into<String>) -> Self {
        self.log_out = Some(page.into());
        self
    }

    /// The routes, for [`ApiBuilder::routes`](resource_runtime::ApiBuilder::routes).
    pub fn routes(self) -> Router<Api> {
        let (path, digest) = (self.path.clone(), assets::digest());
        let folder = format!("{}/{digest}", path.trim_end_matches('/'));
        // Relative to the page, as the router may be nested below another path.
        let name = path.rsplit('/').next().unwrap_or_default();
        let beside = format!("{name}/{digest}")
            .trim_start_matches('/')
            .to_owned();
        let page = get(async move |State(api): State<Api>| {
            // The page names the files of this build, so that no browser may keep it.
            let headers = [
                (header::CONTENT_SECURITY_POLICY, self.policy()),
                (header::CACHE_CONTROL, String::from("no-cache")),
            ];
            (headers, Html(self.page(&api, &beside)))
        });
        let routes = Router::new().route(&path, page);
        let routes = match name {
            "" => routes,
            name => {
                let page = format!("../{name}");
                routes.route(
                    &format!("{path}/"),
                    get(async move || Redirect::permanent(&page)),
                )
            }
        };
        assets::FILES.iter().fold(routes, |routes, file| {
            routes.route(
                &format!("{folder}/{}", file.name),
                get(async move || file.response()),
            )
        })
    }

    /// The policy of the page: scripts and styles of this service alone, none within the page, and requests to it and to the
    /// authorization server.
    fn policy(&self) -> String {
        let issuer = self.issuer.as_deref().map(origin);
        let issuer = issuer.map(|it| format!(" {it}")).unwrap_or_default();
        format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'{issuer}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    }

    /// The page, with the settings in an attribute, as it has no script of its own.
    fn page(&self, api: &Api, folder: &str) -> String {
        let settings = json!({
            "path": self.path,
            "root": api.root(),
            "versions": api.versions(),
            "extra_paths": api.extra_paths(),
            "read_only": self.is_read_only,
            "client_id": self.client_id,
            "issuer": self.issuer,
            "scopes": self.scopes,
            "log_out": self.log_out,
        });
        let settings = settings
            .to_string()
            .replace('&', "&amp;")
            .replace('"', "&quot;");
        let page = assets::PAGE.replace("{preloads}", &assets::preloads());
        let page = page.replace("{assets}", folder);
        page.replace("{settings}", &settings)
    }
}

/// The scheme, host and port of a URL. What cannot stand in a policy ends it.
fn origin(url: &str) -> String {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let end = url[after_scheme..]
        .find('/')
        .map_or(url.len(), |at| after_scheme + at);
    let characters = url[..end].chars();
    characters
        .take_while(|it| it.is_ascii_alphanumeric() || ":/.-[]".contains(*it))
        .collect()
}

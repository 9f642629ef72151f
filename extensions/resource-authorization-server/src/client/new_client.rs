//! A client to register: its settings and their validation.

use std::fmt;

use resource_runtime::Error;
use resource_runtime::authorization::Scopes;
use resource_runtime::shared::{did_you_mean, truncate_for_display};

use super::redirect_uri::problem_of;
use super::{AddedClient, GrantType};
use crate::encoding::{self, is_unreserved};
use crate::store::{ClientKind, ClientRow, SpaceSeparated};

const ALPHABET: &str = "the letters, digits, `-`, `.`, `_` and `~`";

/// Base64url characters of 192 bits, which nobody can guess.
const MIN_SECRET: usize = 32;

/// Bound on the length of a secret, which is hashed for every request.
const MAX_SECRET: usize = 256;

/// Bound on ids: a longer one is never looked up.
const MAX_ID: usize = 128;

/// Bound on the scopes together: our own verifiers refuse longer tokens.
const MAX_SCOPES: usize = 4096;

/// A client to register.
///
/// By default a client with redirect URIs uses authorization codes and refresh tokens; a
/// confidential one without any uses client credentials, unless it has no scopes and introspects.
/// Set [`grant_types`](Self::grant_types) for anything else.
///
/// ```
/// use resource_authorization_server::NewClient;
///
/// let browser = NewClient::public("Notes in the browser")
///     .redirect_uri("https://notes.example.com/signed-in")
///     .scopes(["notes.read", "notes.write"]);
/// let reports = NewClient::confidential("Nightly reports").scopes(["notes.read"]);
/// # drop((browser, reports));
/// ```
#[derive(Clone)]
#[must_use = "a client is registered by `AuthorizationServer::add_client`"]
pub struct NewClient {
    kind: ClientKind,
    name: String,
    id: Option<String>,
    secret: Option<ChosenSecret>,
    redirect_uris: Vec<String>,
    grant_types: Option<Vec<GrantType>>,
    scopes: Vec<String>,
    default_scopes: Option<Vec<String>>,
    can_introspect: bool,
    is_resource_server: bool,
}

/// A secret that the host chose.
#[derive(Clone)]
struct ChosenSecret {
    text: String,
    /// Length that is required: less for a secret that is meant to be guessable.
    min_length: usize,
}

impl NewClient {
    /// A client that can keep a secret, because it runs on a server.
    pub fn confidential(name: impl Into<String>) -> Self {
        Self::new(ClientKind::Confidential, name.into())
    }

    /// A client that cannot keep a secret, because it runs in a browser or on a device.
    pub fn public(name: impl Into<String>) -> Self {
        Self::new(ClientKind::Public, name.into())
    }

    const fn new(kind: ClientKind, name: String) -> Self {
        Self {
            kind,
            name,
            id: None,
            secret: None,
            redirect_uris: Vec::new(),
            grant_types: None,
            scopes: Vec::new(),
            default_scopes: None,
            can_introspect: false,
            is_resource_server: false,
        }
    }

    /// Sets its id, which is random otherwise: up to 128 of the characters `A`–`Z`, `a`–`z`,
    /// `0`–`9`, `-`, `.`, `_` and `~`. No encoding changes these, so all clients send the same.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets its secret, which is random otherwise and should be: 32 to 256 characters of the same
    /// alphabet, from a random generator.
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(ChosenSecret {
            text: secret.into(),
            min_length: MIN_SECRET,
        });
        self
    }

    /// Sets a secret that may be short: 1 to 256 characters of the same alphabet. Whoever guesses
    /// it can act as the client. For demonstrations.
    ///
    /// ```
    /// use resource_authorization_server::NewClient;
    ///
    /// let client = NewClient::confidential("Demonstration").id("demo").guessable_secret("demo");
    /// # drop(client);
    /// ```
    pub fn guessable_secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(ChosenSecret {
            text: secret.into(),
            min_length: 1,
        });
        self
    }

    /// Adds a redirect URI. A request must name it exactly, except for the port where the host is
    /// `127.0.0.1` or `[::1]`.
    pub fn redirect_uri(mut self, uri: impl Into<String>) -> Self {
        self.redirect_uris.push(uri.into());
        self
    }

    /// Sets the grant types that it may use.
    pub fn grant_types(mut self, grant_types: impl IntoIterator<Item = GrantType>) -> Self {
        self.grant_types = Some(grant_types.into_iter().collect());
        self
    }

    /// Sets the scopes that it may request.
    pub fn scopes<Scope: Into<String>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the scopes of a request that names none; all of its scopes by default.
    pub fn default_scopes<Scope: Into<String>>(
        mut self,
        scopes: impl IntoIterator<Item = Scope>,
    ) -> Self {
        self.default_scopes = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// Allows it to introspect its own access tokens (RFC 7662).
    pub const fn allow_introspection(mut self) -> Self {
        self.can_introspect = true;
        self
    }

    /// Marks it as the resource server, or a gateway before it: it may introspect every access
    /// token for the resource.
    pub const fn as_resource_server(mut self) -> Self {
        self.can_introspect = true;
        self.is_resource_server = true;
        self
    }

    /// The row to store, and the client with its secret; all problems at once if there are any.
    pub(crate) fn into_row(
        self,
        known: &Scopes,
        now: i64,
    ) -> Result<(ClientRow, AddedClient), Error> {
        let problems = self.problems(known);
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        // Computed before the fields are moved out.
        let grant_types = self.effective_grant_types();
        let id = self.id.map_or_else(encoding::identifier, Ok);
        let id = id.map_err(Error::internal)?;
        let secret = match (self.kind, self.secret) {
            (ClientKind::Public, _) => None,
            (ClientKind::Confidential, Some(secret)) => Some(secret.text),
            (ClientKind::Confidential, None) => Some(encoding::secret().map_err(Error::internal)?),
        };
        let default_scopes = self.default_scopes.as_ref().unwrap_or(&self.scopes);
        let row = ClientRow {
            id: id.clone(),
            name: self.name,
            kind: self.kind,
            secret_hash: secret.as_deref().map(encoding::hash),
            redirect_uris: self.redirect_uris.iter().collect(),
            grant_types: grant_types.iter().map(|it| it.as_str()).collect(),
            default_scopes: SpaceSeparated::from(&default_scopes.iter().collect()),
            scopes: SpaceSeparated::from(&self.scopes.iter().collect()),
            can_introspect: self.can_introspect,
            is_resource_server: self.is_resource_server,
            disabled_at: None,
            created_at: now,
        };
        Ok((row, AddedClient { id, secret }))
    }

    fn effective_grant_types(&self) -> Vec<GrantType> {
        self.grant_types.clone().unwrap_or_else(|| {
            // A redirect URI shows that users are sent here, so the client acts for them.
            if !self.redirect_uris.is_empty() {
                vec![GrantType::AuthorizationCode, GrantType::RefreshToken]
            } else if self.can_introspect && self.scopes.is_empty() {
                Vec::new()
            } else {
                vec![GrantType::ClientCredentials]
            }
        })
    }

    /// All problems of the settings.
    fn problems(&self, known: &Scopes) -> Vec<String> {
        let name = truncate_for_display(&self.name);
        // All problems are collected, so that the host can fix them in one go.
        let own = [
            self.name_problem(),
            self.id_problem(),
            self.secret_problem(),
            self.grant_types_problem(),
            self.introspection_problem(),
            self.scopes_problem(),
        ];
        let redirect_uri_problems = self.redirect_uris.iter().filter_map(|uri| problem_of(uri));
        let defaults = self.default_scopes.iter().flatten();
        let default_scope_problems = defaults.filter(|it| !self.scopes.contains(it)).map(|it| {
            let shown = truncate_for_display(it);
            format!("the default scope `{shown}` is not one of its scopes")
        });
        let unknown = self.scopes.iter().filter(|scope| !known.contains(scope));
        let scope_problems = unknown.map(|scope| {
            let shown = truncate_for_display(scope);
            let suggestion = did_you_mean(scope, known.iter());
            format!("the server has no scope `{shown}`{suggestion}")
        });
        own.into_iter()
            .flatten()
            .chain(redirect_uri_problems)
            .chain(scope_problems)
            .chain(default_scope_problems)
            .map(|problem| format!("client `{name}`: {problem}"))
            .collect()
    }

    fn name_problem(&self) -> Option<String> {
        // The host shows the name on its consent page.
        let unreadable = self.name.trim().is_empty() || self.name.chars().any(char::is_control);
        unreadable.then(|| "its name must be one that users can read".to_owned())
    }

    fn id_problem(&self) -> Option<String> {
        let id = self.id.as_ref()?;
        (!is_id(id)).then(|| {
            format!("its id must be 1 to {MAX_ID} of {ALPHABET}; leave it out for a random one")
        })
    }

    fn secret_problem(&self) -> Option<String> {
        let ChosenSecret { text, min_length } = self.secret.as_ref()?;
        if self.kind == ClientKind::Public {
            return Some("a public client has no secret; make it confidential".to_owned());
        }
        let valid = (*min_length..=MAX_SECRET).contains(&text.len()) && is_unreserved(text);
        (!valid).then(|| {
            format!(
                "its secret must be {min_length} to {MAX_SECRET} of {ALPHABET}; leave it out for a random one"
            )
        })
    }

    fn grant_types_problem(&self) -> Option<String> {
        let grant_types = self.effective_grant_types();
        let uses = |grant_type: GrantType| grant_types.contains(&grant_type);
        // RFC 6749, section 4.4, reserves client credentials for clients with a secret.
        let problem = if self.kind == ClientKind::Public && uses(GrantType::ClientCredentials) {
            "a public client cannot act on its own behalf; name redirect URIs, or make it confidential"
        } else if uses(GrantType::AuthorizationCode) && self.redirect_uris.is_empty() {
            "it has no redirect URI to send users back to; set one with `.redirect_uri(…)`"
        } else if uses(GrantType::RefreshToken) && !uses(GrantType::AuthorizationCode) {
            "refresh tokens are issued with authorization codes only; allow those, too"
        } else {
            return None;
        };
        Some(problem.to_owned())
    }

    fn scopes_problem(&self) -> Option<String> {
        if self.scopes.is_empty() && !self.effective_grant_types().is_empty() {
            return Some("it has no scopes; set them with `.scopes(…)`".to_owned());
        }
        // One more byte for the space after each.
        let length: usize = self.scopes.iter().map(|scope| scope.len() + 1).sum();
        (length > MAX_SCOPES).then(|| {
            format!(
                "its scopes are {length} characters together, too long for a token; {MAX_SCOPES} at most"
            )
        })
    }

    fn introspection_problem(&self) -> Option<String> {
        let public = self.can_introspect && self.kind == ClientKind::Public;
        public.then(|| "a public client cannot introspect; make it confidential".to_owned())
    }
}

/// Leaves out the secret.
impl fmt::Debug for NewClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("NewClient")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("id", &self.id)
            .field("redirect_uris", &self.redirect_uris)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// Tests the form of a client id.
pub(crate) fn is_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && is_unreserved(id)
}

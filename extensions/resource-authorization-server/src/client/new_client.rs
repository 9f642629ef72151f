use std::fmt;

use resource_runtime::Error;
use resource_runtime::authorization::Scopes;
use resource_runtime::seam::{did_you_mean, truncate_for_display};

use super::redirect_uri::mistake_of;
use super::{AddedClient, GrantType};
use crate::encoding::{self, is_unreserved};
use crate::store::{ClientKind, ClientRow, SpaceSeparated};

const ALPHABET: &str = "the letters, digits, `-`, `.`, `_` and `~`";

/// The characters of a secret, as many as 192 bits need.
const SHORTEST_SECRET: usize = 32;

/// Nobody needs a longer one.
const LONGEST_SECRET: usize = 256;

/// A longer name of a client is none of ours: nothing is looked up for it.
const LONGEST_ID: usize = 128;

/// A token that says more is longer than our own verifiers take.
const LONGEST_SCOPES: usize = 4096;

/// A client that is to be registered.
///
/// One with redirect URIs may ask users by an authorization code, and refresh; a confidential one
/// without any acts on its own behalf, unless it is there to introspect and has no scopes. Name
/// [`grant_types`](Self::grant_types) for anything else.
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
    secret: Option<GivenSecret>,
    redirect_uris: Vec<String>,
    grant_types: Option<Vec<GrantType>>,
    scopes: Vec<String>,
    default_scopes: Option<Vec<String>>,
    can_introspect: bool,
    is_resource_server: bool,
}

#[derive(Clone)]
struct GivenSecret {
    text: String,
    /// So many characters it has at least, which a generator drew or somebody made up.
    shortest: usize,
}

impl NewClient {
    /// A client that can keep a secret: one that runs on a server.
    pub fn confidential(name: impl Into<String>) -> Self {
        Self::new(ClientKind::Confidential, name.into())
    }

    /// A client that everyone can take apart: one in a browser, or on a device.
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

    /// Its id, which is random otherwise: up to 128 of the characters `A`–`Z`, `a`–`z`, `0`–`9`,
    /// `-`, `.`, `_` and `~`. No encoding changes these, so all clients send the same.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Its secret, which is random otherwise and should be: 32 to 256 characters of the same
    /// alphabet, which a generator drew.
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(GivenSecret {
            text: secret.into(),
            shortest: SHORTEST_SECRET,
        });
        self
    }

    /// A secret that somebody made up: 1 to 256 characters of the same alphabet. Whoever guesses
    /// it is the client. For demonstrations.
    ///
    /// ```
    /// use resource_authorization_server::NewClient;
    ///
    /// let client = NewClient::confidential("Demonstration").id("demo").guessable_secret("demo");
    /// # drop(client);
    /// ```
    pub fn guessable_secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(GivenSecret {
            text: secret.into(),
            shortest: 1,
        });
        self
    }

    /// Where users may be sent back to. A request must name it exactly; the port alone is free
    /// where the host is `127.0.0.1` or `[::1]`.
    pub fn redirect_uri(mut self, uri: impl Into<String>) -> Self {
        self.redirect_uris.push(uri.into());
        self
    }

    /// How it may get access tokens.
    pub fn grant_types(mut self, grant_types: impl IntoIterator<Item = GrantType>) -> Self {
        self.grant_types = Some(grant_types.into_iter().collect());
        self
    }

    /// What it may ask for.
    pub fn scopes<Scope: Into<String>>(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// What it gets when it names nothing; all that it may ask for unless this is set.
    pub fn default_scopes<Scope: Into<String>>(
        mut self,
        scopes: impl IntoIterator<Item = Scope>,
    ) -> Self {
        self.default_scopes = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// It may ask what its own access tokens are (RFC 7662).
    pub const fn can_introspect(mut self) -> Self {
        self.can_introspect = true;
        self
    }

    /// It serves the resource, or stands before it: it may ask what any access token for the
    /// resource is.
    pub const fn is_resource_server(mut self) -> Self {
        self.can_introspect = true;
        self.is_resource_server = true;
        self
    }

    /// The row, and what is told once, where nothing is wrong with it.
    pub(crate) fn into_row(
        self,
        known: &Scopes,
        now: i64,
    ) -> Result<(ClientRow, AddedClient), Error> {
        let problems = self.problems(known);
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        let grant_types = self.chosen_grant_types();
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

    fn chosen_grant_types(&self) -> Vec<GrantType> {
        let chosen = self.grant_types.clone();
        chosen.unwrap_or_else(|| {
            if !self.redirect_uris.is_empty() {
                vec![GrantType::AuthorizationCode, GrantType::RefreshToken]
            } else if self.can_introspect && self.scopes.is_empty() {
                Vec::new()
            } else {
                vec![GrantType::ClientCredentials]
            }
        })
    }

    /// Everything that is wrong with it.
    fn problems(&self, known: &Scopes) -> Vec<String> {
        let named = truncate_for_display(&self.name);
        let own = [
            self.mistake_of_name(),
            self.mistake_of_id(),
            self.mistake_of_secret(),
            self.mistake_of_grant_types(),
            self.mistake_of_introspection(),
            self.mistake_of_scopes(),
        ];
        let of_redirect_uris = self.redirect_uris.iter().filter_map(|uri| mistake_of(uri));
        let defaults = self.default_scopes.iter().flatten();
        let of_defaults = defaults.filter(|it| !self.scopes.contains(it)).map(|it| {
            let shown = truncate_for_display(it);
            format!("the default scope `{shown}` is none of its scopes")
        });
        let unknown = self.scopes.iter().filter(|scope| !known.contains(scope));
        let of_scopes = unknown.map(|scope| {
            let nearest = did_you_mean(scope, known.iter());
            format!(
                "the server has no scope `{}`{nearest}",
                truncate_for_display(scope)
            )
        });
        own.into_iter()
            .flatten()
            .chain(of_redirect_uris)
            .chain(of_scopes)
            .chain(of_defaults)
            .map(|problem| format!("client `{named}`: {problem}"))
            .collect()
    }

    fn mistake_of_name(&self) -> Option<String> {
        let illegible = self.name.trim().is_empty() || self.name.chars().any(char::is_control);
        illegible.then(|| "its name must be one that users can read".to_owned())
    }

    fn mistake_of_id(&self) -> Option<String> {
        let id = self.id.as_ref()?;
        (!is_id(id)).then(|| {
            format!("its id must be 1 to {LONGEST_ID} of {ALPHABET}; leave it out for a random one")
        })
    }

    fn mistake_of_secret(&self) -> Option<String> {
        let GivenSecret { text, shortest } = self.secret.as_ref()?;
        if self.kind == ClientKind::Public {
            return Some("a public client has no secret; make it confidential".to_owned());
        }
        let sound = (*shortest..=LONGEST_SECRET).contains(&text.len()) && is_unreserved(text);
        (!sound).then(|| {
            format!(
                "its secret must be {shortest} to {LONGEST_SECRET} of {ALPHABET}; leave it out for a random one"
            )
        })
    }

    fn mistake_of_grant_types(&self) -> Option<String> {
        let chosen = self.chosen_grant_types();
        let uses = |wanted: GrantType| chosen.contains(&wanted);
        let problem = if self.kind == ClientKind::Public && uses(GrantType::ClientCredentials) {
            "a public client cannot act on its own behalf; name redirect URIs, or make it confidential"
        } else if uses(GrantType::AuthorizationCode) && self.redirect_uris.is_empty() {
            "it has nowhere to send users back to; name it with `.redirect_uri(…)`"
        } else if uses(GrantType::RefreshToken) && !uses(GrantType::AuthorizationCode) {
            "refresh tokens come with authorization codes alone; allow those, too"
        } else {
            return None;
        };
        Some(problem.to_owned())
    }

    fn mistake_of_scopes(&self) -> Option<String> {
        if self.scopes.is_empty() && !self.chosen_grant_types().is_empty() {
            return Some("it may ask for nothing; name what it may with `.scopes(…)`".to_owned());
        }
        let length: usize = self.scopes.iter().map(|scope| scope.len() + 1).sum();
        (length > LONGEST_SCOPES).then(|| {
            format!(
                "its scopes are {length} characters together, which no token bears; {LONGEST_SCOPES} at most"
            )
        })
    }

    fn mistake_of_introspection(&self) -> Option<String> {
        let anybody = self.can_introspect && self.kind == ClientKind::Public;
        anybody.then(|| "a public client cannot introspect; make it confidential".to_owned())
    }
}

/// Without the secret.
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

/// Whether it has the form of a client's id.
pub(crate) fn is_id(id: &str) -> bool {
    (1..=LONGEST_ID).contains(&id.len()) && is_unreserved(id)
}

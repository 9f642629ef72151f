mod mistakes;

use std::fmt;

use super::super::store::{ClientKind, ClientRow, Words};
use super::super::text;
use super::{AddedClient, GrantType};
pub(crate) use mistakes::is_id;
use resource_runtime::Error;
use resource_runtime::authorization::Scopes;

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
    may_be_guessable: bool,
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
            may_be_guessable: false,
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
            may_be_guessable: true,
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
        let mistakes = self.mistakes(known);
        if !mistakes.is_empty() {
            return Err(Error::of_problems(mistakes));
        }
        let grant_types = self.chosen_grant_types();
        let new_text = |text: Result<String, String>| text.map_err(Error::internal);
        let id = match self.id {
            Some(id) => id,
            None => new_text(text::identifier())?,
        };
        let secret = match (self.kind, self.secret) {
            (ClientKind::Public, _) => None,
            (ClientKind::Confidential, Some(secret)) => Some(secret.text),
            (ClientKind::Confidential, None) => Some(new_text(text::secret())?),
        };
        let default_scopes = self.default_scopes.as_ref().unwrap_or(&self.scopes);
        let row = ClientRow {
            id: id.clone(),
            name: self.name,
            kind: self.kind,
            secret_hash: secret.as_deref().map(text::hash),
            redirect_uris: self.redirect_uris.iter().collect(),
            grant_types: grant_types.iter().map(|it| it.as_str()).collect(),
            default_scopes: Words::from(&default_scopes.iter().collect()),
            scopes: Words::from(&self.scopes.iter().collect()),
            can_introspect: self.can_introspect,
            is_resource_server: self.is_resource_server,
            disabled_at: None,
            created_at: now,
        };
        Ok((row, AddedClient::new(id, secret)))
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

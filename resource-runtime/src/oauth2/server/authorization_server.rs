use std::fmt;
use std::sync::Arc;

use axum::Router;

use super::builder::AuthorizationServerBuilder;
use super::client::{AddedClient, ClientSummary, DisabledClient, NewClient, PutClient};
use super::keys::{AddedKey, NextKey};
use super::shared::Shared;
use super::store::{ClientRow, Store};
use super::{routes, trusted};
use crate::error::DatabaseFailure;
use crate::oauth2::{TokenVerifier, TrustedIssuer};
use crate::{Database, Dialect, Error};

/// A key is published so many seconds before it signs: nobody keeps a key set for longer.
const PUBLISHED_BEFORE: i64 = 24 * 60 * 60;

/// Issues access tokens to clients that were registered; clones share everything.
///
/// ```no_run
/// use resource_runtime::Database;
/// use resource_runtime::oauth2::TokenVerifier;
/// use resource_runtime::oauth2::server::{AuthorizationServer, NewClient, ResourceOwner};
///
/// # async fn example(
/// #     database: Database,
/// #     api: axum::Router,
/// #     host: impl ResourceOwner,
/// #     sealing_key: [u8; 32],
/// # ) -> Result<axum::Router, Box<dyn std::error::Error>> {
/// let server = AuthorizationServer::builder(database)
///     .issuer("https://notes.example.com")
///     .resource("https://notes.example.com/api")
///     .scopes(["notes.read", "notes.write"])
///     .resource_owner(host)
///     .sealing_key(sealing_key)
///     .create_missing_tables()
///     .build()
///     .await?;
///
/// let client = server
///     .add_client(NewClient::confidential("Reports").scopes(["notes.read"]))
///     .await?;
/// println!("{} {:?}", client.id(), client.secret());
///
/// // The side of the resource takes the tokens, and learns at once what is revoked.
/// let verifier = TokenVerifier::builder()
///     .issuer(server.trusted_issuer())
///     .build()
///     .await?;
/// server.keep_current(&verifier)?;
///
/// let app = api.merge(server.router());
/// # Ok(app)
/// # }
/// ```
#[derive(Clone)]
pub struct AuthorizationServer {
    shared: Arc<Shared>,
}

impl AuthorizationServer {
    /// Settings of a server that keeps what it must in `database`.
    pub fn builder(database: Database) -> AuthorizationServerBuilder {
        AuthorizationServerBuilder::new(database)
    }

    pub(super) const fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// The statements that make the server's tables, for a migration; see
    /// [`Api::schema_sql`](crate::Api::schema_sql).
    ///
    /// ```
    /// use resource_runtime::Dialect;
    /// use resource_runtime::oauth2::server::AuthorizationServer;
    ///
    /// # fn main() -> Result<(), resource_runtime::Error> {
    /// let sql = AuthorizationServer::schema_sql(Dialect::Postgres)?;
    /// assert!(sql.contains("CREATE TABLE \"oauth_client\""));
    /// # Ok(())
    /// # }
    /// ```
    pub fn schema_sql(dialect: Dialect) -> Result<String, Error> {
        Store::tables().schema_sql(dialect)
    }

    /// The endpoints as an axum router, to merge with the API's. They stand at the root of the
    /// host: `/oauth/…` and `/.well-known/…`.
    pub fn router(&self) -> Router {
        routes::router(&self.shared)
    }

    /// The issuer for a verifier of this service: its tokens, its keys, and what it revoked.
    ///
    /// Tell the server of the verifier with [`keep_current`](Self::keep_current).
    #[must_use]
    pub fn trusted_issuer(&self) -> TrustedIssuer {
        let shared = &self.shared;
        let key_set = shared.key_set().to_string();
        trusted(&shared.issuer, &shared.resource, key_set, &shared.revoked)
    }

    /// Has a verifier that trusts [`trusted_issuer`](Self::trusted_issuer) told of new keys and of
    /// what is revoked: at once by this instance, within 5 seconds by others on the same database.
    /// No request asks the database for it.
    ///
    /// # Errors
    ///
    /// The verifier does not trust this issuer.
    pub fn keep_current(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        self.shared.keep_current(verifier)
    }

    /// Where clients find out which authorization server the API has (RFC 9728), for a
    /// [`Challenge`](crate::oauth2::Challenge).
    #[must_use]
    pub fn resource_metadata_url(&self) -> String {
        super::metadata::resource_metadata_url(&self.shared.resource)
    }

    /// Registers a client. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    ///
    /// Every mistake of the client at once; an id that another has.
    pub async fn add_client(&self, client: NewClient) -> Result<AddedClient, Error> {
        let (row, added) = client.into_row(&self.shared.scopes, self.shared.now())?;
        match self.shared.store.insert(&row).await {
            Err(DatabaseFailure::Refused(_)) => Err(Error::new(format!(
                "there is a client with the id `{}`; choose another",
                row.id
            ))),
            stored => Ok(stored.map(|()| added)?),
        }
    }

    /// Registers a client, or replaces the one that has its id: the old secret no longer works, at
    /// once. What it was granted stays granted, and a client that was disabled stays so.
    ///
    /// ```no_run
    /// use resource_runtime::oauth2::server::{AuthorizationServer, NewClient};
    ///
    /// # async fn example(server: AuthorizationServer, secret: String) -> Result<(), resource_runtime::Error> {
    /// // From a file that is deployed with the service: the same each time that it starts.
    /// let reports = NewClient::confidential("Nightly reports").id("reports").secret(secret);
    /// server.put_client(reports.scopes(["notes.read"])).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Every mistake of the client at once.
    pub async fn put_client(&self, client: NewClient) -> Result<AddedClient, Error> {
        let (row, added) = client.into_row(&self.shared.scopes, self.shared.now())?;
        let put = PutClient { row: &row };
        let store = &self.shared.store;
        match store.perform(&put).await {
            // Another instance put it at the same moment.
            Err(DatabaseFailure::Refused(_)) => store.perform(&put).await?,
            done => done?,
        }
        Ok(added)
    }

    /// All clients, in the order of their ids.
    pub async fn list_clients(&self) -> Result<Vec<ClientSummary>, Error> {
        let rows = self.shared.store.list::<ClientRow>(None).await?;
        Ok(rows.into_iter().map(ClientSummary::from).collect())
    }

    /// Ends what a client may do: it gets no more tokens, and those that it has are refused.
    ///
    /// # Errors
    ///
    /// There is no such client.
    pub async fn disable_client(&self, id: &str) -> Result<(), Error> {
        let now = self.shared.now();
        let disabled = DisabledClient { id, now };
        if !self.shared.store.perform(&disabled).await? {
            let shown = crate::error::excerpt(id);
            return Err(Error::new(format!("there is no client `{shown}`")));
        }
        tracing::info!(client = id, "a client was disabled");
        self.shared.announce().await;
        Ok(())
    }

    /// Adds a key that takes the place of the one that signs, in 24 hours: until then it is
    /// published. The old one is published until its last token has expired.
    ///
    /// # Errors
    ///
    /// A key that was added before still waits for its turn.
    pub async fn rotate_key(&self) -> Result<AddedKey, Error> {
        let now = self.shared.now();
        let next = NextKey {
            protection: &self.shared.protection,
            now,
            active_from: now.saturating_add(PUBLISHED_BEFORE),
        };
        let added = self.shared.store.perform(&next).await?;
        let added = added.ok_or_else(|| {
            Error::new("a key that was added before still waits for its turn; rotate after that")
        })?;
        tracing::info!(key = added.id(), "a signing key was added");
        self.shared.refresh().await.map_err(Error::new)?;
        Ok(added)
    }

    /// Removes what has expired, which the server does by itself every 5 minutes.
    pub async fn sweep(&self) -> Result<(), Error> {
        Ok(self.shared.sweep().await?)
    }
}

/// Neither keys nor clients.
impl fmt::Debug for AuthorizationServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AuthorizationServer")
            .field("issuer", &self.shared.issuer)
            .field("resource", &self.shared.resource)
            .finish_non_exhaustive()
    }
}

//! The authorization server as the host, the application that embeds it, holds it, and the state of its
//! endpoints.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arc_swap::ArcSwap;
use axum::Router;
use resource_oauth2::issuing::{Revocation, RevokedTokens, origin_and_path, seconds, with_revoked};
use resource_oauth2::{Algorithm, Authorization, Clock, TokenVerifier, TrustedIssuer};
use resource_runtime::authorization::Scopes;
use resource_runtime::{Api, Database, Dialect, Error};
use serde_json::Value;

use crate::builder::{AuthorizationServerBuilder, DOCS_CLIENT, Lifetimes};
use crate::distribution::Distribution;
use crate::keys::{AddNextKey, AddedKey, KeyRing, Protection};
use crate::limits::Limits;
use crate::resource_owner::{ConsentPrompt, Host};
use crate::revoke::RevokeUser;
use crate::routes;
use crate::store::{self, TransactionScript};

/// Seconds for which a key that replaces another is published before it signs: no verifier that can reach this
/// server caches a key set for longer.
const PUBLISHED_BEFORE: i64 = 24 * 60 * 60;

/// An authorization server, which issues access tokens to registered clients; clones share
/// everything.
///
/// ```no_run
/// use resource_runtime::Database;
/// use resource_oauth2::TokenVerifier;
/// use resource_authorization_server::{AuthorizationServer, NewClient, ResourceOwner};
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
/// // The API verifies the tokens, and knows at once which are revoked.
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
    pub(super) state: Arc<ServerState>,
}

impl AuthorizationServer {
    /// Settings of a server that stores its rows in `database`.
    pub fn builder(database: Database) -> AuthorizationServerBuilder {
        AuthorizationServerBuilder::new(database)
    }

    /// The SQL that creates the tables of the server, for a migration; see
    /// [`Api::schema_sql`](resource_runtime::Api::schema_sql).
    ///
    /// ```
    /// use resource_runtime::Dialect;
    /// use resource_authorization_server::AuthorizationServer;
    ///
    /// # fn main() -> Result<(), resource_runtime::Error> {
    /// let sql = AuthorizationServer::schema_sql(Dialect::Postgres)?;
    /// assert!(sql.contains("CREATE TABLE \"oauth_client\""));
    /// # Ok(())
    /// # }
    /// ```
    pub fn schema_sql(dialect: Dialect) -> Result<String, Error> {
        store::tables().schema_sql(dialect)
    }

    /// The endpoints as an axum router, to merge with that of the API. Their paths are at the root
    /// of the origin: `/oauth/…` and `/.well-known/…`.
    pub fn router(&self) -> Router {
        routes::router(&self.state)
    }

    /// The issuer for verifiers in this process: its tokens, keys and revocations.
    ///
    /// Register the verifier with [`keep_current`](Self::keep_current), so that it gets new keys.
    #[must_use]
    pub fn trusted_issuer(&self) -> TrustedIssuer {
        let state = &self.state;
        // The key set as of now; later ones reach the verifier through `keep_current`.
        let key_set = state.key_set().to_string();
        trusted(&state.issuer, &state.resource, key_set, &state.revoked)
    }

    /// Authorization for an API: `verifier` verifies tokens, and the OpenAPI description names the
    /// endpoints where clients obtain them.
    #[must_use]
    pub fn authorization(&self, verifier: TokenVerifier) -> Authorization {
        // The endpoints are at the root of the origin, also where the issuer has a path. The consent form is
        // posted to the authorization endpoint itself.
        let (origin, _) = origin_and_path(&self.state.issuer);
        let authorization = Authorization::new(verifier)
            .authorization_endpoint(format!("{origin}{}", ConsentPrompt::ACTION))
            .token_endpoint(format!("{origin}/oauth/token"));
        if self.state.has_docs_client {
            authorization.docs_client(DOCS_CLIENT)
        } else {
            authorization
        }
    }

    /// Registers a verifier of [`trusted_issuer`](Self::trusted_issuer) for new keys. It gets those
    /// of this instance at once and those of other instances on the same database within 5 seconds.
    /// Revocations reach it as fast without registration, through the issuer that it trusts. No
    /// request queries the database for either.
    ///
    /// # Errors
    ///
    /// Fails if the verifier does not trust this issuer.
    pub fn keep_current(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        self.state.keep_current(verifier)
    }

    /// URL of the metadata that names the authorization server of the API (RFC 9728), for a
    /// [`Challenge`](resource_oauth2::Challenge).
    #[must_use]
    pub fn resource_metadata_url(&self) -> String {
        resource_oauth2::issuing::resource_metadata_url(&self.state.resource)
    }

    /// Revokes all grants of a user: refresh tokens and codes are no longer accepted, and access
    /// tokens are refused. For a user who is locked out or deleted, or who changed the password;
    /// one who is still logged in at the host can consent again.
    ///
    /// ```no_run
    /// # async fn example(
    /// #     server: resource_authorization_server::AuthorizationServer,
    /// # ) -> Result<(), resource_runtime::Error> {
    /// server.revoke_user("ann").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn revoke_user(&self, subject: &str) -> Result<(), Error> {
        let now = self.state.now();
        let revocation = RevokeUser { subject, now };
        // Stored first: a revocation in memory alone would be lost at a restart, and other
        // instances read the rows.
        let grants = self.state.perform(&revocation).await?;
        tracing::info!(grants = grants.len(), "all grants of a user were revoked");
        let revocations = grants.into_iter().map(Revocation::Grant);
        self.state.apply_revocations(revocations).await;
        Ok(())
    }

    /// Adds a key, which is published at once and replaces the signing key in 24 hours. The old key
    /// is published until its last token has expired.
    ///
    /// # Errors
    ///
    /// Fails if an added key is still pending, or if stored keys are sealed and the settings say
    /// otherwise, or vice versa.
    pub async fn rotate_key(&self) -> Result<AddedKey, Error> {
        let now = self.state.now();
        let next = AddNextKey {
            protection: &self.state.protection,
            now,
            // Until then it is published only, so that no verifier meets a token of a key that it
            // does not know.
            active_from: now.saturating_add(PUBLISHED_BEFORE),
        };
        let added = self.state.perform(&next).await?;
        let added = added.map_err(Error::internal)?;
        tracing::info!(key = added.id(), "a signing key was added");
        // The key is stored, so the rotation has succeeded; the next reload publishes it.
        if let Err(cause) = self.state.refresh_keys().await {
            tracing::warn!(cause, "the new key is published later");
        }
        Ok(added)
    }

    /// Deletes expired rows, as the server does itself every 5 minutes.
    pub async fn sweep(&self) -> Result<(), Error> {
        self.state.sweep().await
    }
}

/// Leaves out keys and clients.
impl fmt::Debug for AuthorizationServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AuthorizationServer")
            .field("issuer", &self.state.issuer)
            .field("resource", &self.state.resource)
            .finish_non_exhaustive()
    }
}

/// The issuer for a verifier of our own tokens.
pub(super) fn trusted(
    issuer: &str,
    resource: &str,
    key_set: String,
    revoked: &Arc<RevokedTokens>,
) -> TrustedIssuer {
    // Keys are given, not fetched: a server that requested its own URL at start would not yet
    // answer.
    let trusted = TrustedIssuer::with_keys(issuer, key_set)
        .audience(resource)
        .algorithms([Algorithm::Es256]);
    with_revoked(trusted, revoked)
}

/// State that all endpoints share.
pub(super) struct ServerState {
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) resource_name: Option<String>,
    pub(super) scopes: Scopes,
    pub(super) documentation: Option<String>,
    pub(super) has_docs_client: bool,
    pub(super) lifetimes: Lifetimes,
    /// The rows of the server, which this API never serves.
    pub(super) api: Api,
    /// Number of authorization requests that were stored.
    pub(super) stored_requests: AtomicU64,
    pub(super) protection: Protection,
    pub(super) keys: ArcSwap<KeyRing>,
    pub(super) revoked: Arc<RevokedTokens>,
    pub(super) host: Box<dyn Host>,
    pub(super) limits: Limits,
    pub(super) clock: Arc<dyn Clock>,
    /// Verifier of introspection, with the default leeway of a `TokenVerifier`.
    pub(super) verifier: TokenVerifier,
    pub(super) distribution: Distribution,
}

impl ServerState {
    pub(super) fn now(&self) -> i64 {
        seconds(&*self.clock)
    }

    /// Runs a script in a transaction on the rows of the server.
    pub(super) async fn perform<S: TransactionScript>(
        &self,
        script: &S,
    ) -> Result<S::Outcome, Error> {
        store::perform(&self.api, script).await
    }

    /// The public keys as published now (RFC 7517).
    pub(super) fn key_set(&self) -> Value {
        self.keys.load().key_set(self.now())
    }
}

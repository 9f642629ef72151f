use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arc_swap::ArcSwap;
use axum::Router;
use resource_oauth2::issuing::{Revocation, RevokedTokens, origin_and_path, seconds, with_revoked};
use resource_oauth2::{Algorithm, Authorization, Clock, TokenVerifier, TrustedIssuer};
use resource_runtime::authorization::Scopes;
use resource_runtime::seam::Rows;
use resource_runtime::{Database, Dialect, Error};
use serde_json::Value;

use crate::builder::{AuthorizationServerBuilder, Lifetimes};
use crate::key_distribution::KeyDistribution;
use crate::keys::{AddedKey, KeyRing, NextKey, Protection};
use crate::limits::Limits;
use crate::resource_owner::{ConsentPrompt, Host};
use crate::revoke::UserRevocation;
use crate::{routes, store};

/// A key is published so many seconds before it signs: nobody keeps a key set for longer.
const PUBLISHED_BEFORE: i64 = 24 * 60 * 60;

/// Issues access tokens to clients that were registered; clones share everything.
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
    pub(super) state: Arc<ServerState>,
}

impl AuthorizationServer {
    /// Settings of a server that keeps what it must in `database`.
    pub fn builder(database: Database) -> AuthorizationServerBuilder {
        AuthorizationServerBuilder::new(database)
    }

    /// The statements that make the server's tables, for a migration; see
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

    /// The endpoints as an axum router, to merge with the API's. They stand at the root of the
    /// host: `/oauth/…` and `/.well-known/…`.
    pub fn router(&self) -> Router {
        routes::router(&self.state)
    }

    /// The issuer for a verifier of this service: its tokens, its keys, and what it revoked.
    ///
    /// Tell the server of the verifier with [`keep_current`](Self::keep_current).
    #[must_use]
    pub fn trusted_issuer(&self) -> TrustedIssuer {
        let state = &self.state;
        let key_set = state.key_set().to_string();
        trusted(&state.issuer, &state.resource, key_set, &state.revoked)
    }

    /// What an API is to know of this server: tokens that `verifier` finds valid are taken, and the
    /// description of the API (OpenAPI) tells where clients get them.
    #[must_use]
    pub fn authorization(&self, verifier: TokenVerifier) -> Authorization {
        let (origin, _) = origin_and_path(&self.state.issuer);
        Authorization::new(verifier)
            .authorization_endpoint(format!("{origin}{}", ConsentPrompt::ACTION))
            .token_endpoint(format!("{origin}/oauth/token"))
    }

    /// Has a verifier that trusts [`trusted_issuer`](Self::trusted_issuer) told which keys there are:
    /// at once of what this instance changes, within 5 seconds of what others on the same database
    /// do. What is revoked it knows as early without being told, from the issuer that it trusts. No
    /// request asks the database for either.
    ///
    /// # Errors
    ///
    /// The verifier does not trust this issuer.
    pub fn keep_current(&self, verifier: &TokenVerifier) -> Result<(), Error> {
        self.state.keep_current(verifier)
    }

    /// Where clients find out which authorization server the API has (RFC 9728), for a
    /// [`Challenge`](resource_oauth2::Challenge).
    #[must_use]
    pub fn resource_metadata_url(&self) -> String {
        resource_oauth2::issuing::resource_metadata_url(&self.state.resource)
    }

    /// Ends all that a user let clients do: their refresh tokens and codes get nothing any more, and
    /// their access tokens are refused. For a user who is locked out, deleted or changed the
    /// password; who is still logged in at the host can approve anew.
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
        let revocation = UserRevocation { subject, now };
        let grants = self.state.store.perform(&revocation).await?;
        tracing::info!(
            grants = grants.len(),
            "all that a user approved was revoked"
        );
        let revoked = grants.into_iter().map(Revocation::Grant);
        self.state.announce(revoked).await;
        Ok(())
    }

    /// Adds a key that takes the place of the one that signs, in 24 hours: until then it is
    /// published. The old one is published until its last token has expired.
    ///
    /// # Errors
    ///
    /// A key that was added before still waits for its turn; keys that are kept otherwise.
    pub async fn rotate_key(&self) -> Result<AddedKey, Error> {
        let now = self.state.now();
        let next = NextKey {
            protection: &self.state.protection,
            now,
            active_from: now.saturating_add(PUBLISHED_BEFORE),
        };
        let added = self.state.store.perform(&next).await?;
        let added = added.map_err(Error::internal)?;
        tracing::info!(key = added.id(), "a signing key was added");
        if let Err(cause) = self.state.refresh_keys().await {
            tracing::warn!(cause, "the new key is published later");
        }
        Ok(added)
    }

    /// Removes what has expired, which the server does by itself every 5 minutes.
    pub async fn sweep(&self) -> Result<(), Error> {
        self.state.sweep().await
    }
}

/// Neither keys nor clients.
impl fmt::Debug for AuthorizationServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AuthorizationServer")
            .field("issuer", &self.state.issuer)
            .field("resource", &self.state.resource)
            .finish_non_exhaustive()
    }
}

/// Our own tokens as verifiers take them.
pub(super) fn trusted(
    issuer: &str,
    resource: &str,
    key_set: String,
    revoked: &Arc<RevokedTokens>,
) -> TrustedIssuer {
    let trusted = TrustedIssuer::with_keys(issuer, key_set)
        .audience(resource)
        .algorithms([Algorithm::Es256]);
    with_revoked(trusted, revoked)
}

/// What all requests share.
pub(super) struct ServerState {
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) resource_name: Option<String>,
    pub(super) scopes: Scopes,
    pub(super) documentation: Option<String>,
    pub(super) lifetimes: Lifetimes,
    pub(super) store: Rows,
    /// How many authorization requests were stored.
    pub(super) requests: AtomicU64,
    pub(super) protection: Protection,
    pub(super) keys: ArcSwap<KeyRing>,
    pub(super) revoked: Arc<RevokedTokens>,
    pub(super) host: Box<dyn Host>,
    pub(super) limits: Limits,
    pub(super) clock: Arc<dyn Clock>,
    /// Verifies our own tokens, with the leeway that the API has unless it sets another.
    pub(super) verifier: TokenVerifier,
    pub(super) distribution: KeyDistribution,
}

impl ServerState {
    pub(super) fn now(&self) -> i64 {
        seconds(&*self.clock)
    }

    pub(super) fn key_set(&self) -> Value {
        self.keys.load().key_set(self.now())
    }
}

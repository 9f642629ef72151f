use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arc_swap::ArcSwap;
use resource_oauth2::TokenVerifier;
use resource_oauth2::issuing::{RevokedTokens, SealingKey, seconds};
use resource_runtime::Error;
use resource_runtime::authorization::Scopes;
use resource_runtime::seam::Rows;

use super::authorization_server::AuthorizationServer;
use super::builder::{AuthorizationServerBuilder, KeyProtection};
use super::followers::Followers;
use super::keys::{self, FirstKey, Protection};
use super::limits::Limits;
use super::shared::Shared;
use super::{mistakes, store, upkeep};

impl AuthorizationServerBuilder {
    /// The server, with a key to sign with and a task that keeps it current.
    ///
    /// # Errors
    ///
    /// Every mistake of the settings at once; tables that are not what is needed; keys that were
    /// sealed otherwise.
    pub async fn build(self) -> Result<AuthorizationServer, Error> {
        let found = mistakes::of(&self);
        if !found.is_empty() {
            return Err(Error::of_problems(found));
        }
        let rows = Rows::new(self.database.clone());
        let tables = store::built_tables(&rows)?;
        if self.creates_tables {
            tables.create_missing_tables().await?;
        }
        tables.check_schema().await?;
        let shared = Arc::new(self.into_shared(rows).await?);
        shared.keep_current(&shared.verifier)?;
        shared.refresh().await.map_err(Error::internal)?;
        upkeep::start(&shared);
        Ok(AuthorizationServer::new(shared))
    }

    async fn into_shared(self, store: Rows) -> Result<Shared, Error> {
        let settings_mistake = |what: &str| Error::configuration(format!("{what} is missing"));
        let protection = match self.key_protection {
            Some(KeyProtection::Sealed(key)) => {
                Protection::Sealed(SealingKey::new(&key).map_err(Error::internal)?)
            }
            _ => Protection::None,
        };
        let now = seconds(&*self.clock);
        let first = FirstKey {
            protection: &protection,
            now,
        };
        store.perform(&first).await?.map_err(Error::internal)?;
        let ring = keys::load(&store, &protection).await;
        let ring = ring.map_err(Error::internal)?;
        ring.signer(now).map_err(Error::internal)?;
        let revoked = Arc::new(RevokedTokens::default());
        let key_set = ring.key_set(now).to_string();
        let trusted = super::trusted(&self.issuer, &self.resource, key_set, &revoked);
        let mut verifier = TokenVerifier::builder().issuer(trusted);
        verifier = verifier.clock(Arc::clone(&self.clock));
        Ok(Shared {
            verifier: verifier.build().await?,
            limits: Limits::new(self.rate_limits),
            host: self
                .host
                .ok_or_else(|| settings_mistake("a resource owner"))?,
            keys: ArcSwap::from_pointee(ring),
            scopes: self.scopes.iter().collect::<Scopes>(),
            issuer: self.issuer,
            resource: self.resource,
            resource_name: self.resource_name,
            documentation: self.documentation,
            lifetimes: self.lifetimes,
            store,
            requests: AtomicU64::new(0),
            protection,
            revoked,
            clock: self.clock,
            followers: Followers::default(),
        })
    }
}

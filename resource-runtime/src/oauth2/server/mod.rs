//! An authorization server within the service: it issues the access tokens that the API takes.
//!
//! It is OAuth 2.0 (RFC 6749) as RFC 9700 profiles it: authorization codes with PKCE, client
//! credentials, refresh tokens that are used once, revocation, introspection and metadata. Who
//! the users are and how they log in is the host's to say, as a [`ResourceOwner`].

mod access_token;
mod answer;
mod authenticate;
mod authorization_server;
mod authorize;
mod body;
mod builder;
mod building;
mod client;
mod followers;
mod form;
mod introspect;
mod keys;
mod lifetimes;
mod limits;
mod managed_clients;
mod metadata;
mod mistakes;
mod origin;
mod own_claims;
mod owner;
mod page;
mod question;
mod revoke;
mod routes;
mod shared;
mod store;
mod text;
mod token;
mod upkeep;
mod user_revocation;

use std::sync::Arc;

pub use authorization_server::AuthorizationServer;
pub use builder::AuthorizationServerBuilder;
pub use client::{AddedClient, ClientSummary, GrantType, NewClient};
pub use keys::AddedKey;
pub use limits::{CallerAddress, RateLimits};
pub use owner::{Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User};

use super::token::RevokedTokens;
use super::{Algorithm, TrustedIssuer};

/// Our own tokens as verifiers take them.
fn trusted(
    issuer: &str,
    resource: &str,
    key_set: String,
    revoked: &Arc<RevokedTokens>,
) -> TrustedIssuer {
    let mut trusted = TrustedIssuer::with_keys(issuer, key_set)
        .audience(resource)
        .algorithms([Algorithm::Es256]);
    trusted.revoked = Some(Arc::clone(revoked));
    trusted
}

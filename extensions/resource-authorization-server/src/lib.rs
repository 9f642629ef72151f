#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod access_token;
mod answer;
mod authenticate;
mod authorization_server;
mod authorize;
mod builder;
mod client;
mod followers;
mod form;
pub mod guide;
mod introspect;
mod keys;
mod limits;
mod managed_clients;
mod metadata;
mod origin;
mod owner;
mod page;
mod revoke;
mod routes;
mod store;
mod text;
mod token;
mod upkeep;

use std::sync::Arc;

pub use authorization_server::AuthorizationServer;
pub use builder::AuthorizationServerBuilder;
pub use client::AddedClient;
pub use client::ClientSummary;
pub use client::GrantType;
pub use client::NewClient;
pub use keys::AddedKey;
pub use limits::CallerAddress;
pub use limits::RateLimits;
pub use owner::Consent;
pub use owner::ConsentPrompt;
pub use owner::OwnerError;
pub use owner::PendingRequest;
pub use owner::ResourceOwner;
pub use owner::User;

use resource_oauth2::Algorithm;
use resource_oauth2::TrustedIssuer;
use resource_oauth2::issuing::RevokedTokens;
use resource_oauth2::issuing::with_revoked;

/// Our own tokens as verifiers take them.
fn trusted(
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

#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

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
pub mod guide;
mod introspect;
mod keys;
mod lifetimes;
mod limits;
mod managed_clients;
mod metadata;
mod mistakes;
mod origin;
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

use std::pin::Pin;

use resource_oauth2::issuing::{RevokedTokens, with_revoked};
use resource_oauth2::{Algorithm, TrustedIssuer};

type Boxed<'made, T> = Pin<Box<dyn Future<Output = T> + Send + 'made>>;

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

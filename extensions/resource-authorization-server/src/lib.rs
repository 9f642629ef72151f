#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod access_token;
mod authenticate;
mod authorization_server;
mod authorize;
mod background_tasks;
mod builder;
mod client;
mod client_management;
mod cors;
mod distribution;
mod encoding;
mod error_page;
mod error_response;
mod form;
pub mod guides;
mod introspect;
mod keys;
mod limits;
mod metadata;
mod resource_owner;
mod revoke;
mod routes;
mod store;
mod token;

pub use authorization_server::AuthorizationServer;
pub use builder::AuthorizationServerBuilder;
pub use client::AddedClient;
pub use client::ClientSummary;
pub use client::GrantType;
pub use client::NewClient;
pub use keys::AddedKey;
pub use limits::CallerAddress;
pub use limits::RateLimits;
pub use resource_owner::Consent;
pub use resource_owner::ConsentPrompt;
pub use resource_owner::OwnerError;
pub use resource_owner::PendingRequest;
pub use resource_owner::ResourceOwner;
pub use resource_owner::User;

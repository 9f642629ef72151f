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

//! Clients: registration, permissions, and redirect URIs.

mod added;
mod new_client;
mod redirect_uri;
mod registered;

pub use added::{AddedClient, ClientSummary};
pub use new_client::NewClient;
pub(super) use new_client::is_id;
pub(super) use redirect_uri::{form_action, is_on_device, origin, uri_matches};
pub use registered::GrantType;
pub(super) use registered::{DisableClient, NO_SCOPE, PutClient, require_scopes};

//! The clients: which there are, what each may do, and where users are sent back to.

mod added;
mod new_client;
mod redirect_uri;
mod registered;

pub use added::{AddedClient, ClientSummary};
pub use new_client::NewClient;
pub(super) use new_client::is_id;
pub(super) use redirect_uri::{form_action, is_on_device, matches, origin};
pub use registered::GrantType;
pub(super) use registered::{DisabledClient, NO_SCOPE, PutClient, narrowed};

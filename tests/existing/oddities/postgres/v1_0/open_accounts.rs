//! The view `open_accounts`.

use resource_runtime::ApiResource;
use uuid::Uuid;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
// `password_hash` is left out: its name is that of a secret, and a view takes no writes.
#[derive(ApiResource)]
#[resource(name = "OpenAccount", url = "/open-accounts", version = "1.0", view)]
#[resource(ignore("password_hash"))]
pub struct OpenAccount {
    #[resource(assigned)]
    pub id: Uuid,
    #[resource(max_length = 254)]
    pub email: Option<String>,
}

//! The view `active_users`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
// `password_hash` is left out: its name is that of a secret, and a view takes no writes.
#[derive(ApiResource)]
#[resource(name = "ActiveUser", url = "/active-users", version = "1.0", view)]
#[resource(ignore("password_hash"))]
pub struct ActiveUser {
    pub id: i64,
    #[resource(max_length = 254)]
    pub email: Option<String>,
    // Present values decided how many digits the numbers have.
    #[resource(digits(15, 2), stored(sqlite = number))]
    pub more: Option<Decimal>,
}

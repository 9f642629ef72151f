//! The view `repeated`.

use resource_runtime::ApiResource;

// The key is `name`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(
    name = "Repeated",
    url = "/repeateds",
    version = "1.0",
    table = "repeated",
    view
)]
pub struct Repeated {
    // No type is declared: rows decided.
    pub id: Option<i64>,
    #[resource(primary_key, assigned)]
    pub name: String,
}

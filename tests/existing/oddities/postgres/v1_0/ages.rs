//! The view `ages`.

use resource_runtime::ApiResource;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(name = "Age", url = "/ages", version = "1.0", view)]
pub struct Age {
    pub id: i64,
    pub age: Option<i16>,
    pub accounts: Option<i64>,
}

//! The view `ages`.

use resource_runtime::ApiResource;

// The key is `age`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(name = "Age", url = "/ages", version = "1.0", view)]
pub struct Age {
    #[resource(primary_key)]
    pub age: i64,
    // No type is declared: rows decided.
    pub users: Option<i64>,
}

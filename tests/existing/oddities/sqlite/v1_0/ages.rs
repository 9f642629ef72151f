//! The view `ages`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Age", url = "/ages", version = "1.0", view)]
pub struct Age {
    #[resource(primary_key)]
    pub age: i64,
    pub users: Option<i64>,
}

//! The view `ages`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Age", url = "/ages", version = "1.0", view)]
pub struct Age {
    pub id: i64,
    pub age: Option<i16>,
    pub accounts: Option<i64>,
}

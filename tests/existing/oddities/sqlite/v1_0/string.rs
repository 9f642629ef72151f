//! The table `String`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "String2",
    url = "/strings",
    version = "1.0",
    table = "String",
    existing
)]
pub struct String2 {
    pub id: i64,
    pub value: Option<String>,
}

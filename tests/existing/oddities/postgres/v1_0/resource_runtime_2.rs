//! The table `resource_runtime`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "ResourceRuntime2",
    url = "/resource-runtime-2s",
    version = "1.0",
    table = "resource_runtime",
    existing
)]
pub struct ResourceRuntime2 {
    pub id: i64,
}

//! The table `resource_runtime`.

use resource_runtime::ApiResource;

use super::Gen;

#[derive(ApiResource)]
#[resource(
    name = "ResourceRuntime2",
    url = "/resource-runtime-2s",
    version = "1.0",
    table = "resource_runtime",
    existing
)]
#[resource(subresource(r#gen = "gen_id"))]
pub struct ResourceRuntime2 {
    pub id: i64,
    #[resource(references = Gen)]
    pub gen_id: Option<i64>,
}

//! The table `v1_0`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "V102",
    url = "/v1-0-2s",
    version = "1.0",
    table = "v1_0",
    existing
)]
pub struct V102 {
    pub id: i64,
}

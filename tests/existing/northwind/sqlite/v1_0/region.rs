//! The table `Region`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Region",
    url = "/regions",
    version = "1.0",
    table = "Region",
    existing
)]
pub struct Region {
    #[resource(primary_key, column = "RegionID")]
    pub region_id: i64,
    #[resource(column = "RegionDescription")]
    pub region_description: String,
}

//! The table `region`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Region",
    url = "/regions",
    version = "1.0",
    table = "region",
    existing
)]
pub struct Region {
    #[resource(primary_key, assigned)]
    pub region_id: i16,
    #[resource(max_length = 60)]
    pub region_description: String,
}

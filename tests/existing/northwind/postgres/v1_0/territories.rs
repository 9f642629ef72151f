//! The table `territories`.

use resource_runtime::ApiResource;

use super::Region;

#[derive(ApiResource)]
#[resource(name = "Territory", url = "/territories", version = "1.0", existing)]
#[resource(subresource(region = "region_id"))]
pub struct Territory {
    #[resource(primary_key, assigned, max_length = 20)]
    pub territory_id: String,
    #[resource(max_length = 60)]
    pub territory_description: String,
    #[resource(references = Region)]
    pub region_id: i16,
}

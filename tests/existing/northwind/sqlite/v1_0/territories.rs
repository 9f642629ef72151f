//! The table `Territories`.

use resource_runtime::ApiResource;

use super::Region;

#[derive(ApiResource)]
#[resource(
    name = "Territory",
    url = "/territories",
    version = "1.0",
    table = "Territories",
    existing
)]
#[resource(subresource(region = "region_id"))]
pub struct Territory {
    #[resource(primary_key, assigned, column = "TerritoryID")]
    pub territory_id: String,
    #[resource(column = "TerritoryDescription")]
    pub territory_description: String,
    #[resource(references = Region, column = "RegionID")]
    pub region_id: i64,
}

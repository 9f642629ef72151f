//! The table `country`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Country",
    url = "/countries",
    version = "1.0",
    table = "country",
    existing
)]
pub struct Country {
    #[resource(primary_key)]
    pub country_id: i32,
    pub country: String,
    #[resource(max_length = 2, stored(postgres = type("bpchar")), unique)]
    pub iso_code: String,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

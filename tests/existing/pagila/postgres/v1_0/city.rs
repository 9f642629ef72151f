//! The table `city`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::Country;

// `place` is left out: the type `point` is not served; a view can show it by `CAST`.
#[derive(ApiResource)]
#[resource(
    name = "City",
    url = "/cities",
    version = "1.0",
    table = "city",
    existing
)]
#[resource(ignore("place"))]
#[resource(subresource(country = "country_id"))]
pub struct City {
    #[resource(primary_key)]
    pub city_id: i32,
    pub city: String,
    #[resource(references = Country)]
    pub country_id: i32,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

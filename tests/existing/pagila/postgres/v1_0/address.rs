//! The table `address`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::City;

#[derive(ApiResource)]
#[resource(
    name = "Address",
    url = "/addresses",
    version = "1.0",
    table = "address",
    existing
)]
#[resource(subresource(city = "city_id"))]
pub struct Address {
    #[resource(primary_key)]
    pub address_id: i64,
    pub address: String,
    pub address2: Option<String>,
    /// The part of the city, or the *county*.
    pub district: String,
    #[resource(references = City)]
    pub city_id: i32,
    pub postal_code: Option<String>,
    pub phone: String,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

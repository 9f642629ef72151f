//! The table `inventory`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::{Film, Store};

#[derive(ApiResource)]
#[resource(
    name = "Inventory",
    url = "/inventories",
    version = "1.0",
    table = "inventory",
    existing
)]
#[resource(subresource(film = "film_id", store = "store_id"))]
#[resource(index(store_id, film_id))]
pub struct Inventory {
    #[resource(primary_key)]
    pub inventory_id: i32,
    #[resource(references = Film)]
    pub film_id: i32,
    #[resource(references = Store)]
    pub store_id: i32,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

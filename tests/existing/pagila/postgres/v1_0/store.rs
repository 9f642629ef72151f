//! The table `store`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;
use serde_json::Value;

use super::{Address, Staff};

// `imported` is left out: `json` is not compared; a view can `CAST` it to `jsonb`.
// `counter` is left out: the type `shelf` is not served; a view can show it by `CAST`.
#[derive(ApiResource)]
#[resource(
    name = "Store",
    url = "/stores",
    version = "1.0",
    table = "store",
    existing
)]
#[resource(ignore("imported", "counter"))]
#[resource(accept("deferred_keys"))]
#[resource(subresource(manager_staff = "manager_staff_id", address = "address_id"))]
pub struct Store {
    #[resource(primary_key)]
    pub store_id: i32,
    #[resource(references = Staff, unique)]
    pub manager_staff_id: i32,
    #[resource(references = Address)]
    pub address_id: i64,
    // Clients only read it, because the database rounds what is written.
    #[resource(stored(postgres = type("money")), computed)]
    pub deposit: String,
    pub opening: Option<Value>,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

//! The table `staff`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;
use uuid::Uuid;

use super::{Address, Store};

#[derive(ApiResource)]
#[resource(
    name = "Staff",
    url = "/staffs",
    version = "1.0",
    table = "staff",
    existing
)]
#[resource(subresource(address = "address_id", store = "store_id"))]
pub struct Staff {
    #[resource(primary_key)]
    pub staff_id: i32,
    pub first_name: String,
    pub last_name: String,
    #[resource(computed)]
    pub full_name: Option<String>,
    #[resource(references = Address)]
    pub address_id: i64,
    #[resource(stored(postgres = type("text")), unique)]
    pub email: Option<String>,
    #[resource(references = Store)]
    pub store_id: i32,
    #[resource(default = database)]
    pub active: bool,
    #[resource(default = database)]
    pub badge: Uuid,
    #[resource(max_length = 16, unique)]
    pub username: String,
    #[resource(write_only)]
    pub password: Option<String>,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
    pub picture: Option<Vec<u8>>,
}

//! The table `customer`.

use chrono::{DateTime, NaiveDate, Utc};
use resource_runtime::ApiResource;

use super::{Address, Store};

// Triggers run: `last_updated`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(
    name = "Customer",
    url = "/customers",
    version = "1.0",
    table = "customer",
    existing
)]
#[resource(subresource(store = "store_id", address = "address_id"))]
pub struct Customer {
    #[resource(primary_key)]
    pub customer_id: i32,
    #[resource(references = Store)]
    pub store_id: i32,
    pub first_name: String,
    pub last_name: String,
    pub email: Option<String>,
    #[resource(references = Address)]
    pub address_id: i64,
    #[resource(default = database)]
    pub activebool: bool,
    #[resource(default = database)]
    pub create_date: NaiveDate,
    #[resource(default = database)]
    pub last_update: Option<DateTime<Utc>>,
    pub active: Option<i32>,
    pub deleted_at: Option<DateTime<Utc>>,
}

//! The table `rental`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::{Customer, Inventory, Staff};

// Triggers run: `returned_later`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(
    name = "Rental",
    url = "/rentals",
    version = "1.0",
    table = "rental",
    existing
)]
#[resource(subresource(
    inventory = "inventory_id",
    customer = "customer_id",
    staff = "staff_id"
))]
#[resource(unique(rental_date, inventory_id, customer_id))]
pub struct Rental {
    #[resource(primary_key)]
    pub rental_id: i64,
    pub rental_date: DateTime<Utc>,
    #[resource(references = Inventory)]
    pub inventory_id: i32,
    #[resource(references = Customer)]
    pub customer_id: i32,
    pub return_date: Option<DateTime<Utc>>,
    #[resource(references = Staff)]
    pub staff_id: i32,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

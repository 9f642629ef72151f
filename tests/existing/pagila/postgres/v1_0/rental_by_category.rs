//! The view `rental_by_category`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(
    name = "RentalByCategory",
    url = "/rental-by-categories",
    version = "1.0",
    table = "rental_by_category",
    view
)]
pub struct RentalByCategory {
    pub id: i32,
    #[resource(max_length = 25)]
    pub category: Option<String>,
    pub rentals: Option<i64>,
    pub worth: Option<Decimal>,
}

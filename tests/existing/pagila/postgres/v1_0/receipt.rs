//! The table `receipt`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

#[derive(ApiResource)]
#[resource(
    name = "Receipt",
    url = "/receipts",
    version = "1.0",
    table = "receipt",
    existing
)]
pub struct Receipt {
    #[resource(primary_key)]
    pub store_id: i16,
    #[resource(primary_key)]
    pub receipt_id: i32,
    pub rental_id: Option<i64>,
    #[resource(digits(5, 2))]
    pub amount: Decimal,
}

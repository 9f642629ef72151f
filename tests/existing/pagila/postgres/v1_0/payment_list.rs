//! The view `payment_list`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(
    name = "PaymentList",
    url = "/payment-lists",
    version = "1.0",
    table = "payment_list",
    view
)]
pub struct PaymentList {
    pub id: i32,
    pub payment_date: Option<DateTime<Utc>>,
    pub customer_id: Option<i32>,
    pub staff_id: Option<i32>,
    pub rental_id: Option<i32>,
    #[resource(digits(5, 2))]
    pub amount: Option<Decimal>,
}

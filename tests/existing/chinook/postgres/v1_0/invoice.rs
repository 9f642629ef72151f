//! The table `invoice`.

use chrono::NaiveDateTime;
use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::Customer;

#[derive(ApiResource)]
#[resource(
    name = "Invoice",
    url = "/invoices",
    version = "1.0",
    table = "invoice",
    existing
)]
#[resource(subresource(customer = "customer_id"))]
pub struct Invoice {
    #[resource(primary_key)]
    pub invoice_id: i32,
    #[resource(references = Customer)]
    pub customer_id: i32,
    pub invoice_date: NaiveDateTime,
    #[resource(max_length = 70)]
    pub billing_address: Option<String>,
    #[resource(max_length = 40)]
    pub billing_city: Option<String>,
    #[resource(max_length = 40)]
    pub billing_state: Option<String>,
    #[resource(max_length = 40)]
    pub billing_country: Option<String>,
    #[resource(max_length = 10)]
    pub billing_postal_code: Option<String>,
    #[resource(digits(10, 2))]
    pub total: Decimal,
}

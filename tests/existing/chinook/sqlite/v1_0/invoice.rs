//! The table `Invoice`.

use chrono::NaiveDateTime;
use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::Customer;

#[derive(ApiResource)]
#[resource(
    name = "Invoice",
    url = "/invoices",
    version = "1.0",
    table = "Invoice",
    existing
)]
#[resource(subresource(customer = "customer_id"))]
pub struct Invoice {
    #[resource(primary_key, column = "InvoiceId")]
    pub invoice_id: i64,
    #[resource(references = Customer, column = "CustomerId")]
    pub customer_id: i64,
    #[resource(column = "InvoiceDate", stored(sqlite = space_text(0)))]
    pub invoice_date: NaiveDateTime,
    #[resource(column = "BillingAddress", max_length = 70)]
    pub billing_address: Option<String>,
    #[resource(column = "BillingCity", max_length = 40)]
    pub billing_city: Option<String>,
    #[resource(column = "BillingState", max_length = 40)]
    pub billing_state: Option<String>,
    #[resource(column = "BillingCountry", max_length = 40)]
    pub billing_country: Option<String>,
    #[resource(column = "BillingPostalCode", max_length = 10)]
    pub billing_postal_code: Option<String>,
    #[resource(column = "Total", digits(10, 2), stored(sqlite = number))]
    pub total: Decimal,
}

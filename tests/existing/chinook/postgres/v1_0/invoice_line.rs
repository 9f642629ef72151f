//! The table `invoice_line`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Invoice, Track};

#[derive(ApiResource)]
#[resource(
    name = "InvoiceLine",
    url = "/invoice-lines",
    version = "1.0",
    table = "invoice_line",
    existing
)]
#[resource(subresource(invoice = "invoice_id", track = "track_id"))]
pub struct InvoiceLine {
    #[resource(primary_key)]
    pub invoice_line_id: i32,
    #[resource(references = Invoice)]
    pub invoice_id: i32,
    #[resource(references = Track)]
    pub track_id: i32,
    #[resource(digits(10, 2))]
    pub unit_price: Decimal,
    pub quantity: i32,
}

//! The table `InvoiceLine`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Invoice, Track};

#[derive(ApiResource)]
#[resource(
    name = "InvoiceLine",
    url = "/invoice-lines",
    version = "1.0",
    table = "InvoiceLine",
    existing
)]
#[resource(subresource(invoice = "invoice_id", track = "track_id"))]
pub struct InvoiceLine {
    #[resource(primary_key, column = "InvoiceLineId")]
    pub invoice_line_id: i64,
    #[resource(references = Invoice, column = "InvoiceId")]
    pub invoice_id: i64,
    #[resource(references = Track, column = "TrackId")]
    pub track_id: i64,
    #[resource(column = "UnitPrice", digits(10, 2), stored(sqlite = number))]
    pub unit_price: Decimal,
    #[resource(column = "Quantity")]
    pub quantity: i64,
}

//! The table `Price.List`.

use resource_runtime::{ApiResource, FieldValue};
use rust_decimal::Decimal;

// `valid` is left out: the type `daterange` is not served; a view can show it by `CAST`.
// `seen` is left out: its times have 0 digits behind the second, and would be rounded; `ALTER
// TABLE … ALTER COLUMN … TYPE timestamptz` makes them six and changes no value, or a view can
// `CAST` it.
#[derive(ApiResource)]
#[resource(
    name = "PriceList",
    url = "/price-lists",
    version = "1.0",
    table = "Price.List",
    existing
)]
#[resource(ignore("valid", "seen"))]
pub struct PriceList {
    #[resource(primary_key, assigned, column = "SKU", max_length = 12)]
    pub sku: String,
    #[resource(column = "say \"price\"", digits(10, 4))]
    pub say_price: Option<Decimal>,
    #[resource(stored(postgres = type("timetz")))]
    pub opens: Option<String>,
    #[resource(stored(postgres = type("varbit")))]
    pub flags: Option<String>,
    pub state: Option<PriceListState>,
    #[resource(stored(postgres = type("xml")))]
    pub note: Option<String>,
}

/// A value of `Price.List.state`.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum PriceListState {
    Open,
    Closed,
}

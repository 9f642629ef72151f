//! The table `Price.List`.

use chrono::{DateTime, Utc};
use resource_runtime::{ApiResource, FieldValue};
use rust_decimal::Decimal;

// `valid` is left out: the type `daterange` is not served; a view can show it by `CAST`.
#[derive(ApiResource)]
#[resource(
    name = "PriceList",
    url = "/price-lists",
    version = "1.0",
    table = "Price.List",
    existing
)]
#[resource(ignore("valid"))]
pub struct PriceList {
    #[resource(primary_key, assigned, column = "SKU", max_length = 12)]
    pub sku: String,
    #[resource(column = "say \"price\"", digits(10, 4))]
    pub say_price: Option<Decimal>,
    // Clients only read it, because the database rounds what is written.
    #[resource(stored(postgres = type("timetz")), computed)]
    pub opens: Option<String>,
    #[resource(stored(postgres = type("varbit")))]
    pub flags: Option<String>,
    #[resource(stored(sqlite = t_text(0)))]
    pub seen: Option<DateTime<Utc>>,
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

//! The table `Price.List`.

use resource_runtime::{ApiResource, FieldValue};
use rust_decimal::Decimal;

// `say "price"` is left out: its doubles have up to 17 digits after the point; a view can `round`
// them.
// `valid, from` is left out: no form serves its dates, which look like `0000-00-00`, `0000-00-00
// 00:00:00`, `0000-00-00T00:00:00`; repair the rows, or add a column that is `GENERATED ALWAYS AS
// (strftime('%Y-%m-%d %H:%M:%S', …))`.
// `anything` is left out: its values are of several types; a view can give them one by `CAST`.
#[derive(ApiResource)]
#[resource(
    name = "PriceList",
    url = "/price-lists",
    version = "1.0",
    table = "Price.List",
    existing
)]
#[resource(ignore("say \"price\"", "valid, from", "anything"))]
pub struct PriceList {
    #[resource(primary_key, assigned, column = "SKU", max_length = 12)]
    pub sku: String,
    #[resource(digits(12, 2), stored(sqlite = number))]
    pub amount: Option<Decimal>,
    #[resource(column = "状態")]
    pub zhuang_tai: Option<PriceListZhuangTai>,
}

/// A value of `Price.List.状態`.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum PriceListZhuangTai {
    Open,
    Closed,
}

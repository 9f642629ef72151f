//! The table `shop_product`.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use resource_runtime::ApiResource;
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use super::ShopCategory;

#[derive(ApiResource)]
#[resource(
    name = "ShopProduct",
    url = "/shop-products",
    version = "1.0",
    table = "shop_product",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(category = "category_id"))]
pub struct ShopProduct {
    #[resource(assigned)]
    pub id: Uuid,
    #[resource(max_length = 120)]
    pub title: String,
    #[resource(digits(8, 2))]
    pub price: Decimal,
    #[resource(min = 0)]
    pub stock: i32,
    pub weight: Option<f64>,
    pub tags: Value,
    pub released: Option<NaiveDate>,
    pub opens: Option<NaiveTime>,
    #[resource(stored(postgres = type("interval")))]
    pub delivery: Option<String>,
    #[resource(stored(postgres = type("inet")))]
    pub maker_ip: Option<String>,
    pub manual: Option<Vec<u8>>,
    #[resource(max_length = 200)]
    pub homepage: String,
    pub created: DateTime<Utc>,
    #[resource(references = ShopCategory, max_length = 50)]
    pub category_id: String,
}

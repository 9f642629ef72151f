//! The table `promotion`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

#[derive(ApiResource)]
#[resource(
    name = "Promotion",
    url = "/promotions",
    version = "1.0",
    table = "promotion",
    existing
)]
pub struct Promotion {
    #[resource(primary_key, assigned, max_length = 8)]
    pub code: String,
    #[resource(digits(3, 1))]
    pub percent: Decimal,
}

//! The table `tip`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

#[derive(ApiResource)]
#[resource(name = "Tip", url = "/tips", version = "1.0", table = "tip", existing)]
#[resource(accept("row_security"))]
pub struct Tip {
    #[resource(primary_key, assigned)]
    pub tip_id: i32,
    pub store_id: i32,
    #[resource(digits(5, 2))]
    pub amount: Option<Decimal>,
}

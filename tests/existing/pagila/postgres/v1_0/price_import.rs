//! The table `price_import`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// `Price` is left out: another column differs in case alone; a view can give it another name.
#[derive(ApiResource)]
#[resource(
    name = "PriceImport",
    url = "/price-imports",
    version = "1.0",
    table = "price_import",
    existing
)]
#[resource(ignore("Price"))]
pub struct PriceImport {
    #[resource(primary_key, assigned, column = "SKU")]
    pub sku: String,
    pub price: Option<Decimal>,
    #[resource(column = "per Cent (%)")]
    pub per_cent: Option<f32>,
}

//! The table `Order Details`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Order, Product};

#[derive(ApiResource)]
#[resource(
    name = "OrderDetail",
    url = "/order-details",
    version = "1.0",
    table = "Order Details",
    existing
)]
#[resource(subresource(order = "order_id", product = "product_id"))]
pub struct OrderDetail {
    #[resource(
        primary_key,
        references(Order, on_delete = "cascade"),
        column = "OrderID"
    )]
    pub order_id: i64,
    #[resource(primary_key, references = Product, column = "ProductID")]
    pub product_id: i64,
    #[resource(
        column = "UnitPrice",
        digits(10, 4),
        stored(sqlite = number),
        default = database
    )]
    pub unit_price: Decimal,
    #[resource(column = "Quantity", min = 1, default = database)]
    pub quantity: i64,
    #[resource(column = "Discount", min = 0, max = 1, default = database)]
    pub discount: f64,
}

//! The table `order_details`.

use resource_runtime::ApiResource;

use super::{Order, Product};

#[derive(ApiResource)]
#[resource(
    name = "OrderDetail",
    url = "/order-details",
    version = "1.0",
    existing
)]
#[resource(subresource(order = "order_id", product = "product_id"))]
pub struct OrderDetail {
    #[resource(primary_key, references = Order)]
    pub order_id: i16,
    #[resource(primary_key, references = Product)]
    pub product_id: i16,
    pub unit_price: f32,
    pub quantity: i16,
    pub discount: f32,
}

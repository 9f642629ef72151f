//! The table `Order Notes`.

use resource_runtime::ApiResource;

use super::OrderDetail;

// `Extra` is left out: `JSONB` is no type of SQLite, which turns texts like `1` into numbers
// there; a view can `CAST` it.
#[derive(ApiResource)]
#[resource(
    name = "OrderNote",
    url = "/order-notes",
    version = "1.0",
    table = "Order Notes",
    existing
)]
#[resource(ignore("Extra"))]
#[resource(subresource(order_detail = ["order_id", "product_id"]))]
pub struct OrderNote {
    #[resource(primary_key, references(OrderDetail, order_id), column = "OrderID")]
    pub order_id: i64,
    #[resource(
        primary_key,
        references(OrderDetail, product_id, on_delete = "cascade"),
        column = "ProductID"
    )]
    pub product_id: i64,
    #[resource(column = "Note", max_length = 80)]
    pub note: String,
}

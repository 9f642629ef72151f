//! The view `Order Subtotals`.

use resource_runtime::ApiResource;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(
    name = "OrderSubtotal",
    url = "/order-subtotals",
    version = "1.0",
    table = "Order Subtotals",
    view
)]
pub struct OrderSubtotal {
    #[resource(assigned)]
    pub id: i16,
    pub subtotal: Option<f64>,
}

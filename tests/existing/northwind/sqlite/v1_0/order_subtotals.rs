//! The view `Order Subtotals`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// The key is `OrderID`, as no two rows share it at present; nothing in the database promises
// that.
#[derive(ApiResource)]
#[resource(
    name = "OrderSubtotal",
    url = "/order-subtotals",
    version = "1.0",
    table = "Order Subtotals",
    view
)]
pub struct OrderSubtotal {
    #[resource(primary_key, column = "OrderID")]
    pub order_id: i64,
    // Present values decided how many digits the numbers have.
    #[resource(column = "Subtotal", digits(15, 2), stored(sqlite = number))]
    pub subtotal: Option<Decimal>,
}

//! The table `Orders`.

use chrono::{NaiveDate, NaiveDateTime};
use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Customer, Employee, Shipper};

// `ShippedDate` is left out: no form serves its dates, which look like `0000-00-00`, `0000-00-00
// 00:00:00`, `0000-00-00T00:00:00Z`; repair the rows, or add a column that is `GENERATED ALWAYS
// AS (strftime('%Y-%m-%d %H:%M:%S', …))`.
#[derive(ApiResource)]
#[resource(
    name = "Order",
    url = "/orders",
    version = "1.0",
    table = "Orders",
    existing
)]
#[resource(ignore("ShippedDate"))]
#[resource(subresource(
    customer = "customer_id",
    employee = "employee_id",
    ship_via_shipper = "ship_via"
))]
pub struct Order {
    #[resource(primary_key, column = "OrderID")]
    pub order_id: i64,
    #[resource(references = Customer, column = "CustomerID", max_length = 5)]
    pub customer_id: Option<String>,
    #[resource(references = Employee, column = "EmployeeID")]
    pub employee_id: Option<i64>,
    #[resource(column = "OrderDate", stored(sqlite = space_text(0)))]
    pub order_date: Option<NaiveDateTime>,
    #[resource(column = "RequiredDate")]
    pub required_date: Option<NaiveDate>,
    #[resource(column = "Shipped", stored(sqlite = space_text(0)), computed)]
    pub shipped: Option<NaiveDateTime>,
    #[resource(references = Shipper, column = "ShipVia")]
    pub ship_via: Option<i64>,
    // Present values decided how many digits the numbers have.
    #[resource(
        column = "Freight",
        digits(15, 3),
        stored(sqlite = number),
        default = database
    )]
    pub freight: Option<Decimal>,
    #[resource(column = "ShipName")]
    pub ship_name: Option<String>,
}

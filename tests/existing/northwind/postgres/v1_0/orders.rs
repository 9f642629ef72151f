//! The table `orders`.

use chrono::NaiveDate;
use resource_runtime::ApiResource;

use super::{Customer, Employee, Shipper};

#[derive(ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", existing)]
#[resource(subresource(
    customer = "customer_id",
    employee = "employee_id",
    ship_via_shipper = "ship_via"
))]
pub struct Order {
    #[resource(primary_key, assigned)]
    pub order_id: i16,
    #[resource(references = Customer, max_length = 5, stored(postgres = type("bpchar")))]
    pub customer_id: Option<String>,
    #[resource(references = Employee)]
    pub employee_id: Option<i16>,
    pub order_date: Option<NaiveDate>,
    pub required_date: Option<NaiveDate>,
    pub shipped_date: Option<NaiveDate>,
    #[resource(references = Shipper)]
    pub ship_via: Option<i16>,
    pub freight: Option<f32>,
    #[resource(max_length = 40)]
    pub ship_name: Option<String>,
}

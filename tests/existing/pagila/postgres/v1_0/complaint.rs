//! The table `complaint`.

use resource_runtime::ApiResource;

use super::Customer;

#[derive(ApiResource)]
#[resource(
    name = "Complaint",
    url = "/complaints",
    version = "1.0",
    table = "complaint",
    existing
)]
#[resource(accept("row_security"))]
#[resource(subresource(customer = "customer_id"))]
pub struct Complaint {
    #[resource(primary_key, assigned)]
    pub complaint_id: i32,
    #[resource(references(Customer, on_delete = "set_default"), default = database)]
    pub customer_id: Option<i32>,
    // References `promotion.code`, which an update may change, and this row with it (`ON UPDATE
    // CASCADE`).
    #[resource(max_length = 20)]
    pub about: Option<String>,
    pub body: String,
}

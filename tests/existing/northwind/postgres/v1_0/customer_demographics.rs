//! The table `customer_demographics`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "CustomerDemographic",
    url = "/customer-demographics",
    version = "1.0",
    existing
)]
pub struct CustomerDemographic {
    #[resource(primary_key, assigned, max_length = 5)]
    pub customer_type_id: String,
    pub customer_desc: Option<String>,
}

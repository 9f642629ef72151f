//! The table `CustomerDemographics`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "CustomerDemographic",
    url = "/customer-demographics",
    version = "1.0",
    table = "CustomerDemographics",
    existing
)]
pub struct CustomerDemographic {
    #[resource(primary_key, assigned, column = "CustomerTypeID")]
    pub customer_type_id: String,
    #[resource(column = "CustomerDesc")]
    pub customer_desc: Option<String>,
}

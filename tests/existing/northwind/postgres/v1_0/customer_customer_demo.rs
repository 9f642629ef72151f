//! The table `customer_customer_demo`.

use resource_runtime::ApiResource;

use super::{Customer, CustomerDemographic};

#[derive(ApiResource)]
#[resource(
    name = "CustomerCustomerDemo",
    url = "/customer-customer-demos",
    version = "1.0",
    table = "customer_customer_demo",
    existing
)]
#[resource(subresource(customer = "customer_id", customer_type = "customer_type_id"))]
pub struct CustomerCustomerDemo {
    #[resource(
        primary_key,
        references = Customer,
        max_length = 5,
        stored(postgres = type("bpchar"))
    )]
    pub customer_id: String,
    #[resource(primary_key, references = CustomerDemographic, max_length = 5)]
    pub customer_type_id: String,
}

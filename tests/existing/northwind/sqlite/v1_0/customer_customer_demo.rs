//! The table `Customer Customer Demo`.

use resource_runtime::ApiResource;

use super::{Customer, CustomerDemographic};

#[derive(ApiResource)]
#[resource(
    name = "CustomerCustomerDemo",
    url = "/customer-customer-demos",
    version = "1.0",
    table = "Customer Customer Demo",
    existing
)]
#[resource(subresource(customer = "customer_id", customer_type = "customer_type_id"))]
pub struct CustomerCustomerDemo {
    #[resource(
        primary_key,
        references = Customer,
        column = "CustomerID",
        max_length = 5
    )]
    pub customer_id: String,
    #[resource(primary_key, references = CustomerDemographic, column = "CustomerTypeID")]
    pub customer_type_id: String,
}

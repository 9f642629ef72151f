//! The table `customer`.

use resource_runtime::ApiResource;

use super::Employee;

#[derive(ApiResource)]
#[resource(
    name = "Customer",
    url = "/customers",
    version = "1.0",
    table = "customer",
    existing
)]
#[resource(subresource(support_rep = "support_rep_id"))]
pub struct Customer {
    #[resource(primary_key)]
    pub customer_id: i32,
    #[resource(max_length = 40)]
    pub first_name: String,
    #[resource(max_length = 20)]
    pub last_name: String,
    #[resource(max_length = 80)]
    pub company: Option<String>,
    #[resource(max_length = 70)]
    pub address: Option<String>,
    #[resource(max_length = 40)]
    pub city: Option<String>,
    #[resource(max_length = 40)]
    pub state: Option<String>,
    #[resource(max_length = 40)]
    pub country: Option<String>,
    #[resource(max_length = 10)]
    pub postal_code: Option<String>,
    #[resource(max_length = 24)]
    pub phone: Option<String>,
    #[resource(max_length = 24)]
    pub fax: Option<String>,
    #[resource(max_length = 60)]
    pub email: String,
    #[resource(references = Employee)]
    pub support_rep_id: Option<i32>,
}

//! The table `Customer`.

use resource_runtime::ApiResource;

use super::Employee;

#[derive(ApiResource)]
#[resource(
    name = "Customer",
    url = "/customers",
    version = "1.0",
    table = "Customer",
    existing
)]
#[resource(subresource(support_rep = "support_rep_id"))]
pub struct Customer {
    #[resource(primary_key, column = "CustomerId")]
    pub customer_id: i64,
    #[resource(column = "FirstName", max_length = 40)]
    pub first_name: String,
    #[resource(column = "LastName", max_length = 20)]
    pub last_name: String,
    #[resource(column = "Company", max_length = 80)]
    pub company: Option<String>,
    #[resource(column = "Address", max_length = 70)]
    pub address: Option<String>,
    #[resource(column = "City", max_length = 40)]
    pub city: Option<String>,
    #[resource(column = "State", max_length = 40)]
    pub state: Option<String>,
    #[resource(column = "Country", max_length = 40)]
    pub country: Option<String>,
    #[resource(column = "PostalCode", max_length = 10)]
    pub postal_code: Option<String>,
    #[resource(column = "Phone", max_length = 24)]
    pub phone: Option<String>,
    #[resource(column = "Fax", max_length = 24)]
    pub fax: Option<String>,
    #[resource(column = "Email", max_length = 60)]
    pub email: String,
    #[resource(references = Employee, column = "SupportRepId")]
    pub support_rep_id: Option<i64>,
}

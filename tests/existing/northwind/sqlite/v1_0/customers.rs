//! The table `Customers`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Customer",
    url = "/customers",
    version = "1.0",
    table = "Customers",
    existing
)]
pub struct Customer {
    #[resource(primary_key, assigned, column = "CustomerID", max_length = 5)]
    pub customer_id: String,
    #[resource(column = "CompanyName", max_length = 40, index)]
    pub company_name: String,
    #[resource(column = "ContactName", max_length = 30)]
    pub contact_name: Option<String>,
    #[resource(column = "ContactTitle", max_length = 30)]
    pub contact_title: Option<String>,
    #[resource(column = "Address", max_length = 60)]
    pub address: Option<String>,
    #[resource(column = "City", max_length = 15, index)]
    pub city: Option<String>,
    #[resource(column = "Region", max_length = 15)]
    pub region: Option<String>,
    #[resource(column = "PostalCode", max_length = 10)]
    pub postal_code: Option<String>,
    #[resource(column = "Country", max_length = 15)]
    pub country: Option<String>,
    #[resource(column = "Phone", max_length = 24)]
    pub phone: Option<String>,
    #[resource(column = "Fax", max_length = 24)]
    pub fax: Option<String>,
}

//! The view `customer_list`.

use resource_runtime::ApiResource;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(
    name = "CustomerList",
    url = "/customer-lists",
    version = "1.0",
    table = "customer_list",
    view
)]
pub struct CustomerList {
    pub id: i32,
    pub name: Option<String>,
    pub address: Option<String>,
    #[resource(column = "zip code")]
    pub zip_code: Option<String>,
    pub phone: Option<String>,
    pub city: Option<String>,
    pub country: Option<String>,
    pub notes: Option<String>,
    pub sid: Option<i32>,
}

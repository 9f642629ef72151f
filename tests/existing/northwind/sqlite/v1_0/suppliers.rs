//! The table `Suppliers`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Supplier",
    url = "/suppliers",
    version = "1.0",
    table = "Suppliers",
    existing
)]
pub struct Supplier {
    #[resource(primary_key, column = "SupplierID")]
    pub supplier_id: i64,
    #[resource(column = "CompanyName")]
    pub company_name: String,
    #[resource(column = "Country")]
    pub country: Option<String>,
    #[resource(column = "HomePage")]
    pub home_page: Option<String>,
}

//! The table `Shippers`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Shipper",
    url = "/shippers",
    version = "1.0",
    table = "Shippers",
    existing
)]
pub struct Shipper {
    #[resource(primary_key, column = "ShipperID")]
    pub shipper_id: i64,
    #[resource(column = "CompanyName")]
    pub company_name: String,
    #[resource(column = "Phone")]
    pub phone: Option<String>,
}

//! The table `shippers`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Shipper", url = "/shippers", version = "1.0", existing)]
pub struct Shipper {
    #[resource(primary_key, default = database)]
    pub shipper_id: i16,
    #[resource(max_length = 40)]
    pub company_name: String,
    #[resource(max_length = 24)]
    pub phone: Option<String>,
}

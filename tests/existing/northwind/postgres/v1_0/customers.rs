//! The table `customers`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Customer", url = "/customers", version = "1.0", existing)]
pub struct Customer {
    #[resource(primary_key, assigned, max_length = 5, stored(postgres = type("bpchar")))]
    pub customer_id: String,
    #[resource(max_length = 40)]
    pub company_name: String,
    #[resource(max_length = 30)]
    pub contact_name: Option<String>,
    #[resource(max_length = 30)]
    pub contact_title: Option<String>,
    #[resource(max_length = 60)]
    pub address: Option<String>,
    #[resource(max_length = 15)]
    pub city: Option<String>,
    #[resource(max_length = 15)]
    pub region: Option<String>,
    #[resource(max_length = 10)]
    pub postal_code: Option<String>,
    #[resource(max_length = 15)]
    pub country: Option<String>,
    #[resource(max_length = 24)]
    pub phone: Option<String>,
    #[resource(max_length = 24)]
    pub fax: Option<String>,
}

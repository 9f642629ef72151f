//! The table `suppliers`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Supplier", url = "/suppliers", version = "1.0", existing)]
pub struct Supplier {
    #[resource(primary_key, assigned)]
    pub supplier_id: i16,
    #[resource(max_length = 40)]
    pub company_name: String,
    #[resource(max_length = 15)]
    pub country: Option<String>,
    pub homepage: Option<String>,
}

//! The table `categories`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Category", url = "/categories", version = "1.0", existing)]
pub struct Category {
    #[resource(primary_key, assigned)]
    pub category_id: i16,
    #[resource(max_length = 15)]
    pub category_name: String,
    pub description: Option<String>,
    pub picture: Option<Vec<u8>>,
}

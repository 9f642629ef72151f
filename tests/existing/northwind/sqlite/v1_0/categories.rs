//! The table `Categories`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Category",
    url = "/categories",
    version = "1.0",
    table = "Categories",
    existing
)]
pub struct Category {
    #[resource(primary_key, column = "CategoryID")]
    pub category_id: i64,
    #[resource(column = "CategoryName")]
    pub category_name: Option<String>,
    #[resource(column = "Description")]
    pub description: Option<String>,
    #[resource(column = "Picture")]
    pub picture: Option<Vec<u8>>,
}

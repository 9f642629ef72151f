//! The table `category`.

use chrono::NaiveDateTime;
use resource_runtime::ApiResource;

// Triggers run: `named`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(
    name = "Category",
    url = "/categories",
    version = "1.0",
    table = "category",
    existing
)]
pub struct Category {
    #[resource(primary_key)]
    pub category_id: i32,
    #[resource(max_length = 25)]
    pub name: String,
    #[resource(default = database)]
    pub last_update: NaiveDateTime,
}

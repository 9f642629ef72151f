//! The table `parts`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Part", url = "/parts", version = "1.0", existing)]
pub struct Part {
    #[resource(primary_key)]
    pub region: String,
    #[resource(primary_key)]
    pub id: i64,
}

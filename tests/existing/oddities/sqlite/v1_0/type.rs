//! The table `type`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Type",
    url = "/types",
    version = "1.0",
    table = "type",
    existing
)]
pub struct Type {
    pub id: i64,
    pub definition: Option<String>,
    pub r#fn: Option<String>,
    #[resource(column = "crate")]
    pub crate_2: Option<String>,
    #[resource(column = "A b")]
    pub a_b: Option<String>,
    #[resource(column = "a-b")]
    pub a_b_2: Option<String>,
    #[resource(column = "null")]
    pub null_2: Option<String>,
    #[resource(column = "2")]
    pub _2: Option<String>,
    pub names: Option<String>,
}

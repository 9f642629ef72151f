//! The table `MediaType`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "MediaType",
    url = "/media-types",
    version = "1.0",
    table = "MediaType",
    existing
)]
pub struct MediaType {
    #[resource(primary_key, column = "MediaTypeId")]
    pub media_type_id: i64,
    #[resource(column = "Name", max_length = 120)]
    pub name: Option<String>,
}

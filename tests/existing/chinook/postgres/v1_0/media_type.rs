//! The table `media_type`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "MediaType",
    url = "/media-types",
    version = "1.0",
    table = "media_type",
    existing
)]
pub struct MediaType {
    #[resource(primary_key)]
    pub media_type_id: i32,
    #[resource(max_length = 120)]
    pub name: Option<String>,
}

//! The table `artist`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Artist",
    url = "/artists",
    version = "1.0",
    table = "artist",
    existing
)]
pub struct Artist {
    #[resource(primary_key)]
    pub artist_id: i32,
    #[resource(max_length = 120)]
    pub name: Option<String>,
}

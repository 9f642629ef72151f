//! The table `Artist`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Artist",
    url = "/artists",
    version = "1.0",
    table = "Artist",
    existing
)]
pub struct Artist {
    #[resource(primary_key, column = "ArtistId")]
    pub artist_id: i64,
    #[resource(column = "Name", max_length = 120)]
    pub name: Option<String>,
}

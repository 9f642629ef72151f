//! The table `album`.

use resource_runtime::ApiResource;

use super::Artist;

#[derive(ApiResource)]
#[resource(
    name = "Album",
    url = "/albums",
    version = "1.0",
    table = "album",
    existing
)]
#[resource(subresource(artist = "artist_id"))]
pub struct Album {
    #[resource(primary_key)]
    pub album_id: i32,
    #[resource(max_length = 160)]
    pub title: String,
    #[resource(references = Artist)]
    pub artist_id: i32,
}

//! The table `Album`.

use resource_runtime::ApiResource;

use super::Artist;

#[derive(ApiResource)]
#[resource(
    name = "Album",
    url = "/albums",
    version = "1.0",
    table = "Album",
    existing
)]
#[resource(subresource(artist = "artist_id"))]
pub struct Album {
    #[resource(primary_key, column = "AlbumId")]
    pub album_id: i64,
    #[resource(column = "Title", max_length = 160)]
    pub title: String,
    #[resource(references = Artist, column = "ArtistId")]
    pub artist_id: i64,
}

//! The table `Track`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Album, Genre, MediaType};

#[derive(ApiResource)]
#[resource(
    name = "Track",
    url = "/tracks",
    version = "1.0",
    table = "Track",
    existing
)]
#[resource(subresource(album = "album_id", media_type = "media_type_id", genre = "genre_id"))]
pub struct Track {
    #[resource(primary_key, column = "TrackId")]
    pub track_id: i64,
    #[resource(column = "Name", max_length = 200)]
    pub name: String,
    #[resource(references = Album, column = "AlbumId")]
    pub album_id: Option<i64>,
    #[resource(references = MediaType, column = "MediaTypeId")]
    pub media_type_id: i64,
    #[resource(references = Genre, column = "GenreId")]
    pub genre_id: Option<i64>,
    #[resource(column = "Composer", max_length = 220)]
    pub composer: Option<String>,
    #[resource(column = "Milliseconds")]
    pub milliseconds: i64,
    #[resource(column = "Bytes")]
    pub bytes: Option<i64>,
    #[resource(column = "UnitPrice", digits(10, 2), stored(sqlite = number))]
    pub unit_price: Decimal,
}

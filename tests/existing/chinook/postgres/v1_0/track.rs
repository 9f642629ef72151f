//! The table `track`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Album, Genre, MediaType};

#[derive(ApiResource)]
#[resource(
    name = "Track",
    url = "/tracks",
    version = "1.0",
    table = "track",
    existing
)]
#[resource(subresource(album = "album_id", media_type = "media_type_id", genre = "genre_id"))]
pub struct Track {
    #[resource(primary_key)]
    pub track_id: i32,
    #[resource(max_length = 200)]
    pub name: String,
    #[resource(references = Album)]
    pub album_id: Option<i32>,
    #[resource(references = MediaType)]
    pub media_type_id: i32,
    #[resource(references = Genre)]
    pub genre_id: Option<i32>,
    #[resource(max_length = 220)]
    pub composer: Option<String>,
    pub milliseconds: i32,
    pub bytes: Option<i32>,
    #[resource(digits(10, 2))]
    pub unit_price: Decimal,
}

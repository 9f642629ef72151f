//! The view `film_list`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;
use serde_json::Value;

use super::film::MpaaRating;

// The key is `fid`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(
    name = "FilmList",
    url = "/film-lists",
    version = "1.0",
    table = "film_list",
    view
)]
pub struct FilmList {
    #[resource(primary_key)]
    pub fid: i32,
    pub title: Option<String>,
    pub description: Option<String>,
    #[resource(max_length = 25)]
    pub category: Option<String>,
    #[resource(digits(4, 2))]
    pub price: Option<Decimal>,
    pub length: Option<i16>,
    #[resource(stored(postgres = type("mpaa_rating")))]
    pub rating: Option<MpaaRating>,
    pub special_features: Option<Value>,
}

//! The table `film`.

use chrono::{DateTime, Utc};
use resource_runtime::{ApiResource, FieldValue};
use rust_decimal::Decimal;

use super::Language;

// `special_features` is left out: arrays are not served; a view can show it by `to_jsonb`.
// `fulltext` is left out: the type `tsvector` is not served; a view can show it by `CAST`.
// Items are not created, because `fulltext` needs a value; if something else gives it one, allow
// `create`.
// Triggers run: `film_fulltext_trigger`, `last_updated`; a column that one of them sets is
// `computed`.
#[derive(ApiResource)]
#[resource(
    name = "Film",
    url = "/films",
    version = "1.0",
    table = "film",
    existing
)]
#[resource(ignore("special_features", "fulltext"))]
#[resource(operations(list, retrieve, update, delete))]
#[resource(subresource(language = "language_id", original_language = "original_language_id"))]
pub struct Film {
    #[resource(primary_key)]
    pub film_id: i32,
    #[resource(index)]
    pub title: String,
    pub description: Option<String>,
    pub release_year: Option<i32>,
    #[resource(references = Language)]
    pub language_id: i32,
    #[resource(references = Language)]
    pub original_language_id: Option<i32>,
    #[resource(default = database)]
    pub rental_duration: i16,
    #[resource(digits(4, 2), default = database)]
    pub rental_rate: Decimal,
    #[resource(min = 1)]
    pub length: Option<i16>,
    #[resource(digits(5, 2), default = database)]
    pub replacement_cost: Decimal,
    #[resource(stored(postgres = type("mpaa_rating")), default = database)]
    pub rating: Option<MpaaRating>,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

/// A value of the type `mpaa_rating`.
#[derive(FieldValue)]
pub enum MpaaRating {
    G,
    #[resource(rename = "PG")]
    Pg,
    #[resource(rename = "PG-13")]
    Pg13,
    R,
    #[resource(rename = "NC-17")]
    Nc17,
}

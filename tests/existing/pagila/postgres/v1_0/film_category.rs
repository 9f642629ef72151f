//! The table `film_category`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::{Category, Film};

#[derive(ApiResource)]
#[resource(
    name = "FilmCategory",
    url = "/film-categories",
    version = "1.0",
    table = "film_category",
    existing
)]
#[resource(subresource(film = "film_id", category = "category_id"))]
pub struct FilmCategory {
    #[resource(primary_key, references(Film, on_delete = "cascade"))]
    pub film_id: i32,
    #[resource(primary_key, references = Category)]
    pub category_id: i32,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

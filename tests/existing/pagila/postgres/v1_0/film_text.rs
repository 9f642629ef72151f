//! The table `film_text`.

use resource_runtime::ApiResource;

use super::Film;

#[derive(ApiResource)]
#[resource(
    name = "FilmText",
    url = "/film-texts",
    version = "1.0",
    table = "film_text",
    existing
)]
#[resource(subresource(film = "film_id"))]
pub struct FilmText {
    #[resource(primary_key, assigned, references(Film, on_delete = "cascade"))]
    pub film_id: i32,
    #[resource(max_length = 255)]
    pub title: String,
    pub plot: Option<String>,
}

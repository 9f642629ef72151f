//! The table `Genre`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Genre",
    url = "/genres",
    version = "1.0",
    table = "Genre",
    existing
)]
pub struct Genre {
    #[resource(primary_key, column = "GenreId")]
    pub genre_id: i64,
    #[resource(column = "Name", max_length = 120)]
    pub name: Option<String>,
}

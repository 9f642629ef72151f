//! The table `genre`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Genre",
    url = "/genres",
    version = "1.0",
    table = "genre",
    existing
)]
pub struct Genre {
    #[resource(primary_key)]
    pub genre_id: i32,
    #[resource(max_length = 120)]
    pub name: Option<String>,
}

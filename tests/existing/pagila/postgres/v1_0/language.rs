//! The table `language`.

use chrono::NaiveDateTime;
use resource_runtime::ApiResource;

/// What a film is spoken in.
#[derive(ApiResource)]
#[resource(
    name = "Language",
    url = "/languages",
    version = "1.0",
    table = "language",
    existing
)]
pub struct Language {
    #[resource(primary_key)]
    pub language_id: i32,
    #[resource(max_length = 20, stored(postgres = type("bpchar")))]
    pub name: String,
    #[resource(default = database)]
    pub last_update: NaiveDateTime,
}

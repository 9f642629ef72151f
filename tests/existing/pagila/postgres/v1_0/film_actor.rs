//! The table `film_actor`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::{Actor, Film};

#[derive(ApiResource)]
#[resource(
    name = "FilmActor",
    url = "/film-actors",
    version = "1.0",
    table = "film_actor",
    existing
)]
#[resource(subresource(actor = "actor_id", film = "film_id"))]
pub struct FilmActor {
    #[resource(primary_key, references = Actor)]
    pub actor_id: i16,
    #[resource(primary_key, references = Film)]
    pub film_id: i16,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

//! The table `actor`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

// Triggers run: `last_updated`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(
    name = "Actor",
    url = "/actors",
    version = "1.0",
    table = "actor",
    existing
)]
pub struct Actor {
    #[resource(primary_key)]
    pub actor_id: i32,
    pub first_name: String,
    #[resource(index)]
    pub last_name: String,
    #[resource(default = database)]
    pub last_update: DateTime<Utc>,
}

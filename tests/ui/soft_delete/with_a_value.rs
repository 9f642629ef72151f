use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(soft_delete = true)]
    deleted_at: Option<DateTime<Utc>>,
}

fn main() {}

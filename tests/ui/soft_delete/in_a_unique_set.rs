use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0", unique(text, deleted_at))]
struct Note {
    id: i64,
    #[resource(soft_delete)]
    deleted_at: Option<DateTime<Utc>>,
    text: String,
}

fn main() {}

//! The resource of notes, each with its author.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use crate::users::User;

/// A note and its author.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(subresource(author = "author_id"))]
pub struct Note {
    /// Assigned by the database.
    pub id: i64,
    /// The subject.
    #[resource(max_length = 120)]
    pub title: String,
    /// The text.
    pub body: Option<String>,
    /// The author.
    #[resource(references = User)]
    pub author_id: Option<i64>,
    /// The time of creation.
    #[resource(read_only, default = Utc::now())]
    pub created_at: DateTime<Utc>,
}

//! The resources, with their scopes and owners.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

/// All scopes, each with its description for the user who grants it.
pub const SCOPES: [(&str, &str); 3] = [
    ("notes.read", "Read your notes"),
    ("notes.write", "Write, change and remove your notes"),
    ("notes.admin", "Read and change everybody's notes"),
];

/// The scopes of a user who is not an administrator.
pub const OWN: [&str; 2] = ["notes.read", "notes.write"];

/// A note that only its owner can see.
///
/// For other callers it does not exist, unless their token has `notes.admin`.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(scopes(read = "notes.read", write = "notes.write"))]
#[resource(owner(field = "owner_id", claim = "sub", bypass = "notes.admin"))]
pub struct Note {
    /// Assigned by the database.
    pub id: i64,
    /// The subject.
    #[resource(max_length = 120)]
    pub title: String,
    /// The text.
    pub body: Option<String>,
    /// The owner: the user who wrote it.
    #[resource(max_length = 50)]
    pub owner_id: String,
    /// True once an administrator has reviewed the note; only administrators set it.
    #[resource(write_scope = "notes.admin", default = false)]
    pub reviewed: bool,
    /// The time of creation.
    #[resource(read_only, default = Utc::now())]
    pub created_at: DateTime<Utc>,
}

/// An announcement by administrators, readable without a token.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Announcement", url = "/announcements", version = "1.0")]
#[resource(public(read), scopes(write = "notes.admin"))]
pub struct Announcement {
    /// Assigned by the database.
    pub id: i64,
    /// The text.
    #[resource(max_length = 500)]
    pub text: String,
}

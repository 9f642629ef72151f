//! The resource of events, of which there are many.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

/// Something that happened.
#[derive(ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0", count(none))]
pub struct Event {
    /// The number of the event.
    pub id: i64,
    /// The time at which it happened.
    #[resource(index)]
    pub at: DateTime<Utc>,
    /// The kind of event.
    #[resource(max_length = 20, index)]
    pub kind: String,
    /// The event in words.
    pub text: String,
}

//! Resources with odd names, odd keys, and only some of the operations.

use chrono::{DateTime, Utc};
use resource_runtime::{ApiBuilder, ApiResource, FieldValue};
use uuid::Uuid;

/// Registers them.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<Odd>()
        .resource::<OddPart>()
        .resource::<Pair>()
        .resource::<Triple>()
        .resource::<Mark>()
        .resource::<Inbox>()
        .resource::<Fixed>()
        .resource::<Report>()
        .resource::<Setting>()
        .resource::<SettingV2>()
        .resource::<Kept>()
        .resource::<SmallThing>()
}

/// Names that mean something to Rust, to JavaScript or to the query language, and a key that is any text.
#[derive(ApiResource)]
#[resource(name = "Odd", url = "/odd", version = "1.0")]
#[resource(operations(list, retrieve, create, update, delete, upsert))]
#[resource(collection(items = OddPart::ODD))]
pub struct Odd {
    /// Any text: slashes, spaces, umlauts, `%`, `,`, `~` and dots.
    #[resource(primary_key, assigned, min_length = 1, max_length = 80)]
    pub key: String,
    /// A word of Rust.
    #[resource(max_length = 20)]
    pub r#type: Option<String>,
    /// The prototype of an object of JavaScript.
    #[resource(rename = "__proto__", column = "proto", max_length = 20)]
    pub proto: Option<String>,
    /// A member of each object of JavaScript.
    #[resource(max_length = 20)]
    pub constructor: Option<String>,
    /// Another one.
    #[resource(rename = "toString", column = "to_string", max_length = 20)]
    pub to_string: Option<String>,
    /// A member of lists.
    #[resource(rename = "totalItems", column = "total_items")]
    pub total_items: Option<i64>,
    /// A member of pages.
    #[resource(max_length = 20)]
    pub next: Option<String>,
    /// A word of the query language.
    #[resource(max_length = 20)]
    pub not: Option<String>,
    /// Another one.
    pub and: Option<bool>,
    /// The name of a parameter.
    #[resource(max_length = 20)]
    pub order: Option<String>,
    /// A name that begins with an underscore.
    #[resource(max_length = 20)]
    pub _leading: Option<String>,
    /// A name of one letter.
    pub x: Option<f64>,
    /// A long name in one word.
    #[resource(
        rename = "aVeryLongNameInOneWordThatNoColumnOfATableHasRoomFor",
        column = "long",
        max_length = 20
    )]
    pub long: Option<String>,
}

/// Refers to an item whose key is any text.
#[derive(ApiResource)]
#[resource(name = "OddPart", url = "/odd-parts", version = "1.0")]
#[resource(subresource(whole = "odd"))]
pub struct OddPart {
    /// Assigned by the database.
    pub id: i64,
    /// The whole of which it is a part.
    #[resource(references = Odd, max_length = 80)]
    pub odd: String,
    /// The number of the part.
    pub number: i32,
}

/// A key of a text and a number.
#[derive(ApiResource)]
#[resource(name = "Pair", url = "/pairs", version = "1.0")]
#[resource(collection(marks = [Mark::PAIR_TEXT, Mark::PAIR_NUMBER]))]
pub struct Pair {
    /// Any text.
    #[resource(primary_key, max_length = 40)]
    pub text: String,
    /// Any number.
    #[resource(primary_key)]
    pub number: i64,
    /// A remark.
    #[resource(max_length = 100)]
    pub remark: Option<String>,
}

/// One of two sides.
#[derive(FieldValue)]
pub enum Side {
    Left,
    #[resource(rename = "the right one")]
    Right,
}

/// A key of a UUID, an enum and a text.
#[derive(ApiResource)]
#[resource(name = "Triple", url = "/triples", version = "1.0")]
pub struct Triple {
    /// An identifier, which the service chooses if the client does not.
    #[resource(primary_key, default = Uuid::now_v7())]
    pub uuid: Uuid,
    /// A side.
    #[resource(primary_key)]
    pub side: Side,
    /// Any text.
    #[resource(primary_key, max_length = 40)]
    pub text: String,
    /// The position.
    pub position: Option<i32>,
}

/// Refers to a pair by both parts of its key.
#[derive(ApiResource)]
#[resource(name = "Mark", url = "/marks", version = "1.0")]
#[resource(subresource(pair = ["pair_text", "pair_number"], like = "like_id"))]
pub struct Mark {
    /// Chosen by the service.
    #[resource(default = Uuid::now_v7())]
    pub id: Uuid,
    /// The text of the pair.
    #[resource(references(Pair, text), max_length = 40)]
    pub pair_text: Option<String>,
    /// The number of the pair.
    #[resource(references(Pair, number))]
    pub pair_number: Option<i64>,
    /// A mark like this one.
    #[resource(references = Mark)]
    pub like_id: Option<Uuid>,
}

/// Created and retrieved, but not listed.
#[derive(ApiResource)]
#[resource(
    name = "Inbox",
    url = "/inbox",
    version = "1.0",
    operations(retrieve, create)
)]
pub struct Inbox {
    /// Chosen by the service.
    #[resource(default = Uuid::now_v7())]
    pub id: Uuid,
    /// The message.
    #[resource(max_length = 200)]
    pub message: String,
}

/// Changed and deleted, but not created.
#[derive(ApiResource)]
#[resource(
    name = "Fixed",
    url = "/fixed",
    version = "1.0",
    operations(list, retrieve, update)
)]
#[resource(require_if_match)]
pub struct Fixed {
    /// The name of the month, which stays.
    #[resource(primary_key, assigned, max_length = 20)]
    pub month: String,
    /// The number of days.
    #[resource(min = 28, max = 31)]
    pub days: i16,
    /// The number of changes.
    #[resource(revision)]
    pub revision: i64,
}

/// Only read.
#[derive(ApiResource)]
#[resource(
    name = "Report",
    url = "/reports",
    version = "1.0",
    operations(list, retrieve)
)]
pub struct Report {
    /// Assigned by the database.
    pub id: i64,
    /// The title, with markup that is text.
    pub title: String,
    /// Known to the service alone.
    #[resource(write_only)]
    pub hidden: Option<String>,
    /// The reports that it is part of.
    #[resource(references = Report)]
    pub within_id: Option<i64>,
}

/// A setting with a short name.
#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
#[resource(deprecated(
    since = "2026-01-01",
    sunset = "2027-07-01",
    successor = SettingV2,
    reason = "names were too short"
))]
pub struct Setting {
    /// Assigned by the database.
    pub id: i64,
    /// The name.
    #[resource(max_length = 10, unique)]
    pub name: String,
    /// The value.
    pub value: Option<String>,
}

/// A setting with a longer name and a unit.
#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "2.0", follows = Setting)]
pub struct SettingV2 {
    /// Assigned by the database.
    pub id: i64,
    /// The name.
    #[resource(
        max_length = 80,
        unique,
        breaks(read_widening = "clients of 1.0 take any length")
    )]
    pub name: String,
    /// The value.
    pub value: Option<String>,
    /// The unit of the value.
    #[resource(max_length = 10)]
    pub unit: Option<String>,
}

/// Deleted items are kept, and nobody sees them.
#[derive(ApiResource)]
#[resource(name = "Kept", url = "/kept", version = "2.0")]
pub struct Kept {
    /// Assigned by the database.
    pub id: i64,
    /// The title.
    #[resource(max_length = 50)]
    pub title: String,
    /// The time of the deletion.
    #[resource(soft_delete)]
    pub deleted_at: Option<DateTime<Utc>>,
}

/// A name that is no name of a type.
#[derive(ApiResource)]
#[resource(name = "small_thing", url = "/small-things", version = "1.0")]
pub struct SmallThing {
    /// Assigned by the database.
    pub id: i64,
    /// The title.
    #[resource(max_length = 50)]
    pub title: String,
}

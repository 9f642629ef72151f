//! Versions that refuse what clients of the older one send.

use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
enum Three {
    One,
    Two,
    Three,
}

#[derive(FieldValue)]
enum Two {
    One,
    Two,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct Old {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    optional: Option<String>,
    number: i64,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct RequiredNew {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    optional: Option<String>,
    number: i64,
    state: Three,
    new: String,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct Required {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    optional: String,
    number: i64,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct OfAnotherKind {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    optional: Option<String>,
    number: String,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct Tighter {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    optional: Option<String>,
    number: i64,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct NotNull {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    #[resource(default = "")]
    optional: String,
    number: i64,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct NameRemoved {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    optional: Option<String>,
    number: i64,
    state: Two,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct ReadOnly {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    #[resource(read_only)]
    optional: Option<String>,
    number: i64,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct Default {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    #[resource(default = "")]
    optional: Option<String>,
    number: i64,
    state: Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
struct Constrained {
    id: i64,
    #[resource(max_length = 80, unique)]
    text: String,
    optional: Option<String>,
    number: i64,
    state: Three,
}

fn main() {}

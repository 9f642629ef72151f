//! Versions that answer what clients of the older one do not expect, and versions of one table.

use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
enum Two {
    One,
    Two,
}

#[derive(FieldValue)]
enum Three {
    One,
    Two,
    Three,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0", scopes)]
struct Old {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
struct Hidden {
    id: i64,
    #[resource(max_length = 50, write_only)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
struct OfAWiderKind {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    number: i64,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
struct Null {
    id: i64,
    #[resource(max_length = 50)]
    text: Option<String>,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
struct Wider {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
struct NameAdded {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    number: i32,
    state: Three,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
#[resource(redacts(text))]
struct Unqueryable {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two", scopes)]
struct ForSome {
    id: i64,
    #[resource(max_length = 50, read_scope = "secrets")]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

// The rest shares the table of the older version.

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, scopes)]
struct ReadWidening {
    id: i64,
    #[resource(max_length = 80)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, scopes)]
struct OldItems {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 20)]
    told: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, scopes)]
struct SharedConstraint {
    id: i64,
    #[resource(max_length = 50, unique)]
    text: String,
    number: i32,
    state: Two,
    #[resource(read_only, max_length = 50)]
    told: Option<String>,
}

fn main() {}

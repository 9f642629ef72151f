//! Breaks of each rule, approved where they stand.

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
#[resource(name = "Thing", url = "/things", version = "1.0")]
#[resource(limit(max = 500), scopes(read = "a", write = "a"))]
struct Old {
    id: i64,
    #[resource(max_length = 80)]
    tighter: String,
    required: Option<String>,
    kind: i64,
    not_null: Option<String>,
    name_removed: Three,
    read_only: Option<String>,
    default: Option<String>,
    constraint: i64,
    hidden: String,
    wider_kind: i32,
    nullable: String,
    #[resource(max_length = 50)]
    wider: String,
    name_added: Two,
    unqueryable: String,
    access: String,
    removed: String,
    first: i64,
    second: i64,
}

#[derive(ApiResource)]
#[resource(name = "Stuff", url = "/stuff", version = "2.0", follows = Old)]
#[resource(limit(max = 200), scopes(read = "b", write = "b"), require_if_match)]
#[resource(operations(list, retrieve, create, update, upsert))]
#[resource(unique(first, second), redacts(unqueryable))]
#[resource(breaks(
    withdrawn(delete) = "a test",
    moved = "a test",
    removed("removed") = "a test",
    required(if_match) = "a test",
    constraint(first, second) = "a test",
    page = "a test",
    access(list, retrieve, create, update) = "a test",
    error(upsert) = "a test",
))]
struct New {
    #[resource(primary_key, assigned, breaks(key = "a test"))]
    id: i64,
    #[resource(max_length = 50, breaks(tighter = "a test"))]
    tighter: String,
    #[resource(breaks(required = "a test"))]
    required: String,
    #[resource(breaks(kind = "a test"))]
    kind: String,
    #[resource(default = "", breaks(not_null = "a test"))]
    not_null: String,
    #[resource(breaks(name_removed = "a test"))]
    name_removed: Two,
    #[resource(read_only, breaks(read_only = "a test"))]
    read_only: Option<String>,
    #[resource(default = "", breaks(default = "a test"))]
    default: Option<String>,
    #[resource(unique, breaks(constraint = "a test"))]
    constraint: i64,
    #[resource(write_only, breaks(hidden = "a test"))]
    hidden: String,
    #[resource(breaks(wider_kind = "a test"))]
    wider_kind: i64,
    #[resource(breaks(null = "a test"))]
    nullable: Option<String>,
    #[resource(max_length = 80, breaks(wider = "a test"))]
    wider: String,
    #[resource(breaks(name_added = "a test"))]
    name_added: Three,
    #[resource(breaks(unqueryable = "a test"))]
    unqueryable: String,
    #[resource(read_scope = "c", breaks(access = "a test"))]
    access: String,
    first: i64,
    second: i64,
    #[resource(breaks(required_new = "a test"))]
    required_new: String,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0", table = "shared")]
struct Before {
    id: i64,
    #[resource(max_length = 50)]
    read_widening: String,
    #[resource(read_only)]
    old_items: Option<String>,
    shared_constraint: String,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", table = "shared", follows = Before)]
struct After {
    id: i64,
    #[resource(max_length = 80, breaks(read_widening = "a test"))]
    read_widening: String,
    #[resource(read_only, max_length = 20, breaks(old_items = "a test"))]
    old_items: Option<String>,
    #[resource(unique, breaks(shared_constraint = "a test"))]
    shared_constraint: String,
}

#[test]
fn it_compiles() {
    let _ = (New::DEFINITION, After::DEFINITION);
}

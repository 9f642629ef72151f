//! Versions that break promises beside those of their attributes, and several at once.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
#[resource(limit(max = 500), scopes(read = "a", write = "a"))]
struct Old {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"), operations(list, retrieve, create, update))]
struct Withdrawn {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/stuff", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"))]
struct Moved {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"))]
struct OfAnotherKey {
    #[resource(primary_key, assigned)]
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"))]
struct Removed {
    id: i64,
    text: String,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old, table = "two")]
#[resource(limit(max = 500), scopes(read = "a", write = "a"), unique(text, code))]
struct Constrained {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 200), scopes(read = "a", write = "a"))]
struct ShorterPages {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = all("a", "b"), update = "a", delete = "a"))]
struct ForSome {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"), operations(list, retrieve, create, update, delete, upsert))]
struct Upserted {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"), require_if_match)]
struct Several {
    id: i64,
    #[resource(max_length = 50)]
    text: String,
    number: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0", follows = Old)]
#[resource(limit(max = 500), scopes(read = "a", write = "a"))]
struct Contemporary {
    id: i64,
    text: String,
    code: i64,
}

fn main() {}

use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
enum Author {
    Somebody,
}

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(owner(field = "author"))]
struct Note {
    id: i64,
    author: Author,
}

fn main() {}

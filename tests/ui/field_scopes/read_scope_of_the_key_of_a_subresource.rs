use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(subresource(parent = "parent_id"))]
struct Note {
    id: i64,
    #[resource(references = Note, read_scope = "notes.read")]
    parent_id: Option<i64>,
}

fn main() {}

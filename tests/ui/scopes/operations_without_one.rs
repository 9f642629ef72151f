use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(scopes(list = "notes.read"))]
struct Note {
    id: i64,
}

fn main() {}

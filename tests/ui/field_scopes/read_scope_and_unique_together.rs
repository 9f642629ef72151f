use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(unique(text, size))]
struct Note {
    id: i64,
    #[resource(read_scope = "notes.read")]
    text: String,
    size: i64,
}

fn main() {}

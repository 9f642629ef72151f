use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(read_only, write_scope = "notes.write")]
    text: Option<String>,
}

fn main() {}

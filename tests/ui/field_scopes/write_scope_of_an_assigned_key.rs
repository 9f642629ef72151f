use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    #[resource(assigned, write_scope = "notes.write")]
    id: i64,
}

fn main() {}

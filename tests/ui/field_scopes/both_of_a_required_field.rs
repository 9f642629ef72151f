use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(read_scope = "notes.audit", write_scope = "notes.audit")]
    grade: i64,
}

fn main() {}

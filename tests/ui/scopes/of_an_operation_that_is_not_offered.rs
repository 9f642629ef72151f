use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(
    operations(list, retrieve),
    scopes(read = "notes.read", delete = "notes.write")
)]
struct Note {
    id: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(revision)]
    revision: i64,
    #[resource(revision)]
    other: i64,
}

fn main() {}

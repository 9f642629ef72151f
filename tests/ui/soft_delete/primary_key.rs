use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    #[resource(soft_delete)]
    id: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Entry", url = "/entries", version = "1.0", unique(track, list))]
struct Entry {
    #[resource(primary_key, assigned)]
    list: i64,
    #[resource(primary_key, assigned)]
    track: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/app/settings", version = "1.0")]
struct Setting {
    id: i64,
}

fn main() {}

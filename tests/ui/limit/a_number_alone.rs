use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", limit = 10)]
struct Setting {
    id: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name, url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: u64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "")]
struct Setting {
    id: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "65536.0")]
struct Setting {
    id: i64,
}

fn main() {}

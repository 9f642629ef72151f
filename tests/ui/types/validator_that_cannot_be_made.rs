use resource_runtime::ApiResource;

struct Strict(i64);

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", validator = Strict)]
struct Setting {
    id: i64,
}

fn main() {}

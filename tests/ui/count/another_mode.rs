use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", count(exact))]
struct Setting {
    id: i64,
}

fn main() {}

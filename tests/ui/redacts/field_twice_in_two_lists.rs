use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", redacts(name))]
#[resource(redacts(value, name))]
struct Setting {
    id: i64,
    name: String,
    value: String,
}

fn main() {}

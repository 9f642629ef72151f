use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting<T> {
    id: i64,
    value: T,
}

fn main() {}

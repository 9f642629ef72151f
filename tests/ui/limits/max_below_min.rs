use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    #[resource(min = 5, max = 4)]
    size: i64,
}

fn main() {}

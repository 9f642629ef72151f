use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    #[resource(default_on_update = 1)]
    id: i64,
}

fn main() {}

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    #[resource(max_length = 50, truncate)]
    data: Vec<u8>,
}

fn main() {}

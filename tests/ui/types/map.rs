use resource_runtime::ApiResource;
use std::collections::HashMap;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    values: HashMap<String, String>,
}

fn main() {}

use resource_runtime::ApiResource;
use serde::Serialize;

#[derive(Serialize, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    #[serde(skip_serializing)]
    password: String,
}

fn main() {}

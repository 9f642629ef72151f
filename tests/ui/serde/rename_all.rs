use resource_runtime::ApiResource;
use serde::Serialize;

#[derive(Serialize, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
#[serde(rename_all = "camelCase")]
struct Setting {
    id: i64,
    first_name: String,
}

fn main() {}

use resource_runtime::ApiResource;
use std::time::SystemTime;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    changed_at: SystemTime,
}

fn main() {}

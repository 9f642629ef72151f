use resource_runtime::{ApiResource, FieldValue};

#[derive(ApiResource, FieldValue)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
}

fn main() {}

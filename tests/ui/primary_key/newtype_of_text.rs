use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
struct Code(String);

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: Code,
}

fn main() {}

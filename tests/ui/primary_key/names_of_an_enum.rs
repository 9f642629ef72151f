use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
enum Colour { Red, Green }

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: Colour,
}

fn main() {}

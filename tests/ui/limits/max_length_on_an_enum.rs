use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
enum Colour { Red }

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    #[resource(max_length = 3)]
    colour: Colour,
}

fn main() {}

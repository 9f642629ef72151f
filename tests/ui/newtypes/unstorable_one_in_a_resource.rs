use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
struct Celsius(u64);

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    heat: Celsius,
}

fn main() {}

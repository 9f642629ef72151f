use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
struct Celsius(f64);

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    #[resource(assigned)]
    id: Celsius,
}

fn main() {}

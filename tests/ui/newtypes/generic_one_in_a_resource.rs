use resource_runtime::{ApiResource, FieldValue};

#[derive(FieldValue)]
struct Length<T>(T);

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    #[resource(min = 0)]
    size: Option<Length<f64>>,
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Celsius(Option<f64>);

fn main() {}

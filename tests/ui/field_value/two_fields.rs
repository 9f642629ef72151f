use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Point(f64, f64);

fn main() {}

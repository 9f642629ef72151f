use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Length<T>(T);

fn main() {}

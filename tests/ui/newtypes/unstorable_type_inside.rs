use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Celsius(u64);

fn main() {}

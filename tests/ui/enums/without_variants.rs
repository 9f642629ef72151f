use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Nothing;

fn main() {}

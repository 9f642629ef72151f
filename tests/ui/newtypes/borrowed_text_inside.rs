use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Name(&'static str);

fn main() {}

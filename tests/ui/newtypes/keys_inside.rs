use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Name(#[resource(max_length = 50)] String);

fn main() {}

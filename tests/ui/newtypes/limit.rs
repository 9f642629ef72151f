use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(max_length = 50)]
struct Name(String);

fn main() {}

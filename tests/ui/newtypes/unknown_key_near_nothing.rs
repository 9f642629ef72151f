use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(table = "names")]
struct Name(String);

fn main() {}

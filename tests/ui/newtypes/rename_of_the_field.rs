use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename = "name")]
struct Name(String);

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_all = "lowercase")]
struct Name(String);

fn main() {}

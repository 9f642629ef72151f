use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(crte = "resource_runtime")]
struct Name(String);

fn main() {}

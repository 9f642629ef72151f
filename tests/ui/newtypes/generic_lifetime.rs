use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Name<'a>(&'a str);

fn main() {}

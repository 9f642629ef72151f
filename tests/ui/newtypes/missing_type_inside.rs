use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Price(Money);

fn main() {}

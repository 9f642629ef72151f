use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Price(Money);
struct Money(i64);

fn main() {}

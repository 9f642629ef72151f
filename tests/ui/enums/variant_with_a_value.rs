use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    Red,
    Grey(u8),
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    Red,
    Mixed { red: u8, green: u8 },
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour<const N: usize> {
    Red,
}

fn main() {}

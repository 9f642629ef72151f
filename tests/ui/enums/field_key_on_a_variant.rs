use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    #[resource(max_length = 5)]
    DarkRed,
}

fn main() {}

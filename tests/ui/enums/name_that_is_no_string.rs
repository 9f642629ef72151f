use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    #[resource(rename = 1)]
    Red,
}

fn main() {}

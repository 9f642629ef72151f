use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    #[resource(rename = "dark\nred")]
    Red,
}

fn main() {}

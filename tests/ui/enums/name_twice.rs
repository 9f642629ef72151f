use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    #[resource(rename = "red", rename = "dark")]
    Red,
}

fn main() {}

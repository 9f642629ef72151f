use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    Red,
    #[resource(rename = "Red")]
    Green,
}

fn main() {}

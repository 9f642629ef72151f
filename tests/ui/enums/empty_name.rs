use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    #[resource(rename = "")]
    Red,
}

fn main() {}

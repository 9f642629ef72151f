use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_all = "lowercase")]
enum Colour {
    DarkRed,
    Darkred,
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_all = "lowercase", rename_all = "UPPERCASE")]
enum Colour {
    DarkRed,
}

fn main() {}

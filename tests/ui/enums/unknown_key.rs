use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_al = "lowercase")]
enum Colour {
    DarkRed,
}

fn main() {}

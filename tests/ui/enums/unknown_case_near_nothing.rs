use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_all = "title")]
enum Colour {
    DarkRed,
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(table = "colours")]
enum Colour {
    DarkRed,
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_all = snake_case)]
enum Colour {
    DarkRed,
}

fn main() {}

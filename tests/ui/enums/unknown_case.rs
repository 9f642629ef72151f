use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(rename_all = "snakecase")]
enum Colour {
    DarkRed,
}

fn main() {}

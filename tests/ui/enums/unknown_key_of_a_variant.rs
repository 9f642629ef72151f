use resource_runtime::FieldValue;

#[derive(FieldValue)]
enum Colour {
    #[resource(renam = "red")]
    DarkRed,
}

fn main() {}

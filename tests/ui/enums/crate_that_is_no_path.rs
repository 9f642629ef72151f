use resource_runtime::FieldValue;

#[derive(FieldValue)]
#[resource(crate = my_api)]
enum Colour {
    Red,
}

fn main() {}

use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Name {
    text: String,
}

fn main() {}

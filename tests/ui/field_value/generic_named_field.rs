use resource_runtime::FieldValue;

#[derive(FieldValue)]
struct Name<T> {
    text: T,
}

fn main() {}

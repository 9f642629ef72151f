use resource_runtime::FieldValue;

#[derive(FieldValue)]
union Number {
    whole: i64,
    real: f64,
}

fn main() {}

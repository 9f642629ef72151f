//! The user's types and attributes may be called as the runtime's are.

use resource_runtime::{ApiResource, FieldValue};

#[derive(ApiResource)]
#[resource(
    name = "Record",
    url = "/records",
    version = "1.0",
    subresource(attribute = "value")
)]
struct Record {
    id: i64,
    #[resource(references = Attribute)]
    value: Option<i64>,
    values: Option<String>,
    record: Option<String>,
    output: Option<String>,
    columns: Option<String>,
    definition: Option<String>,
    index: Option<i64>,
    name: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Attribute", url = "/attributes", version = "1.0")]
struct Attribute {
    id: i64,
    r#struct: bool,
}

#[derive(ApiResource)]
#[resource(name = "Field", url = "/fields", version = "1.0")]
struct Field {
    id: i64,
    value: f64,
}

#[derive(FieldValue)]
#[allow(clippy::upper_case_acronyms)]
enum Value {
    NAMES,
    KIND,
    Null,
    Text,
    Ok,
}

#[derive(FieldValue)]
struct Kind(Value);

#[test]
fn it_compiles() {
    let attribute = Attribute {
        id: 1,
        r#struct: true,
    };
    assert!(
        Attribute::from_record(attribute.to_record())
            .unwrap()
            .r#struct
    );
    let field = Field { id: 1, value: 0.5 };
    assert_eq!(Field::from_record(field.to_record()).unwrap().value, 0.5);
    assert_eq!(Record::ATTRIBUTES.len(), 9);
    let values = [
        Value::NAMES,
        Value::KIND,
        Value::Null,
        Value::Text,
        Value::Ok,
    ];
    let texts = values.map(|value| Kind(value).to_value().to_string());
    assert_eq!(texts, ["NAMES", "KIND", "Null", "Text", "Ok"]);
    assert_eq!(Kind::NAMES, texts);
}

//! A raw identifier is a name like any other: `r#type` is the attribute `type`.

use resource_runtime::{ApiResource, FieldValue, Validator};

#[derive(ApiResource)]
#[resource(
    name = "Move",
    url = "/moves",
    version = "1.0",
    unique(r#struct, r#while)
)]
#[resource(subresource(r#loop = "in"), validator = r#impl, redacts(type, r#match))]
struct r#Move {
    #[resource(primary_key)]
    r#fn: i64,
    r#type: String,
    #[resource(max_length = 5)]
    r#match: Option<String>,
    #[resource(references = r#Move)]
    r#in: Option<i64>,
    self_: bool,
    r#struct: r#enum,
    r#while: Option<r#const>,
}

#[derive(Debug, PartialEq, FieldValue)]
#[allow(non_camel_case_types)]
enum r#enum {
    r#fn,
    #[resource(rename = "r#mod")]
    r#mod,
}

#[derive(Debug, PartialEq, FieldValue)]
#[allow(non_camel_case_types)]
struct r#const(r#enum);

#[derive(Default)]
#[allow(non_camel_case_types)]
struct r#impl;

impl Validator<r#Move> for r#impl {}

#[test]
fn it_compiles() {
    assert_eq!(
        r#Move::COLUMNS,
        r#""fn", "type", "match", "in", "self_", "struct", "while""#
    );
    assert_eq!(r#enum::NAMES, ["fn", "r#mod"]);
    assert_eq!(Move::TYPE.name(), "type");
    assert_eq!(format!("{:?}", Move::SELF_), "self_");
    let step = r#Move {
        r#fn: 1,
        r#type: String::from("a"),
        r#match: None,
        r#in: None,
        self_: true,
        r#struct: r#enum::r#fn,
        r#while: Some(r#const(r#enum::r#mod)),
    };
    let again = r#Move::from_record(step.to_record()).unwrap();
    assert_eq!(
        (
            again.r#fn,
            again.r#type.as_str(),
            again.r#match,
            again.r#in,
            again.self_
        ),
        (1, "a", None, None, true)
    );
    assert_eq!(
        (again.r#struct, again.r#while),
        (step.r#struct, step.r#while)
    );
}

//! Hand-written `FieldValue` types: a value that the type rejects is 400 with the message of the type.

use resource_runtime::schema::Kind;
use resource_runtime::{Api, ApiResource, FieldValue, RecordError, Value};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::json;

#[derive(Debug)]
enum Colour {
    Red,
    Green,
}

impl FieldValue for Colour {
    const KIND: Kind = Kind::Text;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match String::from_value(value)?.as_str() {
            "red" => Ok(Self::Red),
            "green" => Ok(Self::Green),
            _ => Err(RecordError::new("must be red or green")),
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(String::from(match self {
            Self::Red => "red",
            Self::Green => "green",
        }))
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Lamp", url = "/lamps", version = "1.0")]
struct Lamp {
    id: i64,
    colour: Colour,
    other: Option<Colour>,
    #[resource(default = Colour::Green)]
    usual: Colour,
}

const LAMPS: &str = "/api/1.0/lamps";

fn lamps() -> Service {
    Service::start(|database| Api::builder().resource::<Lamp>().build(database))
}

#[apply(every_database)]
fn a_value_that_the_type_accepts_is_stored_and_read_back() {
    let service = lamps();
    let path = service.create(LAMPS, &json!({"colour": "red", "other": "green"}));
    assert_eq!(
        service.read(&path),
        json!({"id": 1, "colour": "red", "other": "green", "usual": "green"})
    );
    assert_no_content(&service.put(&path, &json!({"colour": "green", "usual": "red"})));
    assert_eq!(
        service.read(&path),
        json!({"id": 1, "colour": "green", "other": "green", "usual": "red"})
    );
}

#[apply(every_database)]
fn a_value_that_the_type_rejects_is_400_10010_with_its_message() {
    let service = lamps();
    let path = service.create(LAMPS, &json!({"colour": "red"}));
    for answer in [
        service.post(LAMPS, &json!({"colour": "blue"})),
        service.put(&path, &json!({"colour": "blue"})),
        service.put(&path, &json!({"colour": "Red"})),
        service.post(LAMPS, &json!({"colour": ""})),
    ] {
        assert_error(&answer, 400, 10010);
        assert_eq!(
            answer.json()["error_description"],
            "`colour` must be red or green"
        );
    }
    let page = service.read(LAMPS);
    assert_eq!(
        (&page["totalItems"], &page["items"][0]["colour"]),
        (&json!(1), &json!("red"))
    );
}

#[apply(every_database)]
fn all_rejected_values_are_named_at_once() {
    let body = json!({"colour": "blue", "other": "pink", "usual": 7});
    let answer = lamps().post(LAMPS, &body);
    assert_error(&answer, 400, 10010)
        .naming(&[
            "`colour` must be red or green",
            "`other` must be red or green",
            "`usual`",
        ])
        .in_lines(3);
}

#[apply(every_database)]
fn null_is_allowed_only_for_an_option_of_the_type() {
    let service = lamps();
    let path = service.create(LAMPS, &json!({"colour": "red", "other": null}));
    assert_eq!(service.read(&path)["other"], json!(null));
    assert_no_content(&service.put(&path, &json!({"other": "red"})));
    assert_eq!(service.read(&path)["other"], "red");
    assert_no_content(&service.put(&path, &json!({"other": null})));
    assert_eq!(service.read(&path)["other"], json!(null));
    assert_error(&service.put(&path, &json!({"colour": null})), 400, 10010).naming(&["`colour`"]);
    assert_eq!(service.read(&path)["colour"], "red");
}

#[apply(every_database)]
fn a_filter_compares_with_the_stored_value() {
    let service = lamps();
    service.create(LAMPS, &json!({"colour": "red"}));
    service.create(LAMPS, &json!({"colour": "green", "other": "red"}));
    let total =
        |filter: &str| service.read(&format!("{LAMPS}?filter={filter}"))["totalItems"].clone();
    assert_eq!(total("eq(colour,%22red%22)"), 1);
    assert_eq!(total("eq(other,null)"), 1);
    assert_eq!(total("in(colour,[%22red%22,%22green%22])"), 2);
}

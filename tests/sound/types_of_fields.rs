//! An enum and a newtype take every key that suits what they are stored as, and may be optional.

#![deny(warnings)]

use resource_runtime::schema::Kind;
use resource_runtime::{ApiResource, FieldValue};

/// Its numbers and its order are Rust's alone: only the names are stored.
#[derive(Debug, PartialEq, FieldValue)]
#[resource(rename_all = "SCREAMING-KEBAB-CASE")]
#[allow(non_camel_case_types)]
enum Colour {
    DarkRed = 7,
    #[resource(rename = "any \"green\" ü")]
    Green = 3,
    r#type,
}

#[derive(Debug, PartialEq, FieldValue)]
struct Celsius(f64);

#[derive(Debug, PartialEq, FieldValue)]
struct Code(String);

/// A newtype of a newtype, and one of an enum.
#[derive(Debug, PartialEq, FieldValue)]
struct Heat(Celsius);

#[derive(Debug, PartialEq, FieldValue)]
struct Paint(Colour);

#[derive(ApiResource)]
#[resource(name = "Oven", url = "/ovens", version = "1.0", redacts(paint, code))]
struct Oven {
    id: i64,
    #[resource(unique, default = Colour::Green, default_on_update = Colour::DarkRed)]
    colour: Colour,
    #[resource(min = -273.15, max = 500)]
    heat: Heat,
    #[resource(min = 0)]
    limit: Option<Celsius>,
    #[resource(index, min_length = 1, max_length = 9, default = Code(String::from("none")))]
    code: Option<Code>,
    paint: Option<Paint>,
}

#[test]
fn it_compiles() {
    assert_eq!(Colour::NAMES, ["DARK-RED", "any \"green\" ü", "TYPE"]);
    assert_eq!(Option::<Paint>::NAMES, Colour::NAMES);
    assert_eq!((Paint::KIND, Heat::KIND), (Kind::Text, Kind::Double));
    let oven = Oven {
        id: 1,
        colour: Colour::r#type,
        heat: Heat(Celsius(20.5)),
        limit: Some(Celsius(300.0)),
        code: None,
        paint: Some(Paint(Colour::DarkRed)),
    };
    let again = Oven::from_record(oven.to_record()).unwrap();
    assert_eq!((again.id, again.code), (1, None));
    assert_eq!((again.colour, again.paint), (oven.colour, oven.paint));
    assert_eq!((again.heat, again.limit), (oven.heat, oven.limit));
}

//! A struct may be made by a macro, whose tokens come in groups that nobody sees.

use resource_runtime::{ApiResource, FieldValue};

macro_rules! resource {
    ($type:ident, $url:literal, $key:expr, { $($(#[$attribute:meta])* $field:ident: $kind:ty),* }) => {
        #[derive(ApiResource)]
        #[resource(name = "Made", url = $url, version = "1.0")]
        struct $type {
            id: i64,
            #[resource(default = $key, max = 9)]
            key: i64,
            $($(#[$attribute])* $field: $kind),*
        }
    };
}

resource!(Made, "/made", 2 + 3, {
    #[resource(max_length = 5, default = "none")]
    name: Option<String>,
    flag: bool
});

macro_rules! field_types {
    ($case:literal, $enum:ident { $($(#[$attribute:meta])* $variant:ident),* }, $newtype:ident($inner:ty)) => {
        #[derive(FieldValue)]
        #[resource(rename_all = $case)]
        enum $enum { $($(#[$attribute])* $variant),* }

        #[derive(FieldValue)]
        struct $newtype($inner);
    };
}

field_types!(
    "lowercase",
    Colour {
        Red,
        #[resource(rename = "verdant")]
        Green
    },
    Celsius(f64)
);

#[test]
fn it_compiles() {
    let made = Made {
        id: 1,
        key: 5,
        name: Some(String::from("a")),
        flag: true,
    };
    let again = Made::from_record(made.to_record()).unwrap();
    assert_eq!(
        (again.key, again.name.as_deref(), again.flag),
        (5, Some("a"), true)
    );
    assert!(!Made::ATTRIBUTES[2].is_required());
    assert_eq!(Colour::NAMES, ["red", "verdant"]);
    assert_eq!(Celsius(0.5).to_value(), 0.5.to_value());
    let colours = [Colour::Red, Colour::Green];
    let again = colours.map(|colour| Colour::from_value(colour.to_value()).unwrap());
    assert!(matches!(again, [Colour::Red, Colour::Green]));
}

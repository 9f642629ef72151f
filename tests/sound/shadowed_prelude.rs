//! Names of the prelude and of the crates may mean something else where the struct stands.

#![allow(dead_code, unused_macros)]

mod shadows {
    struct Option;
    struct Result;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Vec;
    struct Box;
    struct Self_;
    trait Clone {}
    trait Copy {}
    trait Default {}
    trait Debug {}
    trait Eq {}
    trait From {}
    trait Into {}
    trait Hash {}
    trait PartialEq {}
    trait Send {}
    trait Sync {}
    mod core {}
    mod std {}
    mod resource_runtime {}
    trait FieldValue {}
    trait Length {}
    macro_rules! concat {
        () => {};
    }

    #[derive(::resource_runtime::ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0", validator = Validator)]
    #[resource(subresource(parent = "parent_id"), unique(name, value), limit(max = 5))]
    pub(super) struct Setting {
        pub(super) id: i64,
        #[resource(max_length = 50, min_length = 1)]
        name: ::std::string::String,
        #[resource(default = "none")]
        value: ::std::option::Option<::std::string::String>,
        #[resource(min = 0, max = 9, default = 5)]
        size: i32,
        colour: Colour,
        heat: Celsius,
        #[resource(references = Setting)]
        parent_id: ::std::option::Option<i64>,
    }

    #[derive(::resource_runtime::ApiResource)]
    #[resource(name = "Seat", url = "/seats", version = "1.0")]
    struct Seat {
        #[resource(primary_key, references = Setting, references(Seat, number))]
        row: i64,
        #[resource(primary_key)]
        number: i64,
    }

    #[derive(::std::default::Default)]
    struct Validator;

    impl ::resource_runtime::Validator<Setting> for Validator {}

    #[derive(::resource_runtime::FieldValue)]
    enum Colour {
        Some,
        None,
        Ok,
        Err,
    }

    #[derive(::resource_runtime::FieldValue)]
    struct Celsius(f64);

    // What is the type's own comes before what a trait gives it.
    impl Colour {
        const KIND: u8 = 0;
        const NAMES: u8 = 0;
        fn from_value() {}
        fn to_value() {}
        fn normalise() {}
    }

    impl Celsius {
        const KIND: u8 = 0;
        const NAMES: u8 = 0;
        fn from_value() {}
        fn to_value() {}
        fn normalise() {}
    }
}

#[test]
fn it_compiles() {
    use resource_runtime::ApiResource;

    assert_eq!(
        shadows::Setting::COLUMNS,
        r#""id", "name", "value", "size", "colour", "heat", "parent_id""#
    );
}

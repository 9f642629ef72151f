//! The derive's code breaks none of the rules that a strict crate sets itself.

#![deny(warnings, missing_docs, unused, nonstandard_style, rust_2018_idioms)]
#![deny(
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    unused_lifetimes
)]
#![deny(
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    variant_size_differences,
    let_underscore_drop
)]
#![deny(
    private_bounds,
    private_interfaces,
    unsafe_code,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements
)]
#![deny(
    unused_import_braces,
    unused_macro_rules,
    meta_variable_misuse,
    unit_bindings
)]

use resource_runtime::{ApiResource, FieldValue, Validator};

/// A setting.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    unique(name, colour),
    limit(default = 5)
)]
#[resource(subresource(parent = "parent_id"), validator = Check, redacts(value))]
pub struct Setting {
    /// Its number.
    #[resource(assigned, default = 1)]
    pub id: i64,
    /// Its name.
    #[resource(max_length = 50, default = "none")]
    pub name: String,
    /// What nobody should use.
    #[deprecated]
    pub old: Option<i32>,
    /// Its value.
    #[resource(min = 0, max = 9, default_on_update = 5)]
    pub value: i32,
    /// What it belongs to.
    #[resource(references = Setting)]
    pub parent_id: Option<i64>,
    /// How it looks.
    pub colour: Option<Colour>,
    /// How warm it is.
    pub heat: Option<Celsius>,
}

/// A colour.
#[derive(Debug, FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum Colour {
    /// Like a poppy.
    Red,
    /// What nobody should use.
    #[deprecated]
    Grey,
    /// What nobody writes so.
    #[allow(non_camel_case_types)]
    dark_green,
}

/// A temperature.
#[derive(Debug, FieldValue)]
pub struct Celsius(
    /// Its degrees.
    pub f64,
);

/// What a setting must be.
#[derive(Debug, Default)]
pub struct Check;

impl Validator<Setting> for Check {}

mod inner {
    use resource_runtime::{ApiResource, FieldValue};

    #[derive(Debug, ApiResource)]
    #[resource(name = "Secret", url = "/secrets", version = "1.0", operations(create))]
    pub(crate) struct Secret {
        pub(crate) id: i64,
        pub(crate) kind: Kind,
        pub(crate) size: Size,
    }

    #[derive(Debug, FieldValue)]
    pub(crate) enum Kind {
        Plain,
    }

    #[derive(Debug, FieldValue)]
    pub(crate) struct Size(pub(crate) i32);
}

#[test]
fn it_compiles() {
    assert_eq!(
        Setting::COLUMNS,
        r#""id", "name", "old", "value", "parent_id", "colour", "heat""#
    );
    assert_eq!(Colour::NAMES, ["red", "grey", "dark_green"]);
    let secret = inner::Secret {
        id: 1,
        kind: inner::Kind::Plain,
        size: inner::Size(2),
    };
    let again = inner::Secret::from_record(secret.to_record()).unwrap();
    assert!(matches!(again.kind, inner::Kind::Plain));
    assert_eq!((again.id, again.size.0), (1, 2));
}

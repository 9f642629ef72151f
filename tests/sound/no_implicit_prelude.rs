//! Without a prelude every name must come from somewhere else.

#![no_implicit_prelude]

#[derive(::resource_runtime::FieldValue)]
#[resource(rename_all = "lowercase")]
enum Colour {
    Red,
    #[resource(rename = "none")]
    Grey,
}

#[derive(::resource_runtime::FieldValue)]
struct Name(::std::string::String);

#[derive(::std::default::Default)]
struct Check;

impl ::resource_runtime::Validator<Setting> for Check {}

#[derive(::resource_runtime::ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    unique(name, colour),
    validator = Check,
    redacts(size)
)]
#[resource(subresource(parent = "parent_id"), operations(list, create))]
struct Setting {
    #[resource(assigned, max_length = 9)]
    id: Name,
    #[resource(max_length = 50, min_length = 1)]
    name: ::std::string::String,
    #[resource(default = "none", write_only)]
    value: ::std::option::Option<::std::string::String>,
    #[resource(min = 0.5, max = 9.5, default = 5.0, default_on_update = 6.0)]
    size: f64,
    #[resource(default_on_update = Colour::Red)]
    colour: ::std::option::Option<Colour>,
    #[resource(references = Setting)]
    parent_id: ::std::option::Option<Name>,
}

#[::core::prelude::v1::test]
fn it_compiles() {
    use ::resource_runtime::ApiResource;
    use ::std::convert::From;
    use ::std::option::Option::{None, Some};
    use ::std::string::String;

    let setting = Setting {
        id: Name(String::from("a")),
        name: String::new(),
        value: None,
        size: 0.5,
        colour: Some(Colour::Grey),
        parent_id: None,
    };
    let again = Setting::from_record(setting.to_record()).unwrap();
    ::std::assert_eq!((again.size, again.value), (0.5, None));
    ::std::assert_eq!((&*again.id.0, &*again.name), ("a", ""));
    ::std::assert!(::std::matches!(again.colour, Some(Colour::Grey)));
    ::std::assert!(::std::matches!(again.parent_id, None));
}

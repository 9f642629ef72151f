//! Without a prelude every name must come from somewhere else.

#![no_implicit_prelude]

#[derive(::resource_runtime::ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    unique(name, value)
)]
#[resource(subresource(parent = "parent_id"), operations(list, create))]
struct Setting {
    id: i64,
    #[resource(max_length = 50, min_length = 1)]
    name: ::std::string::String,
    #[resource(default = "none", write_only)]
    value: ::std::option::Option<::std::string::String>,
    #[resource(min = 0.5, max = 9.5, default = 5.0)]
    size: f64,
    #[resource(references = Setting)]
    parent_id: ::std::option::Option<i64>,
}

fn main() {
    use ::resource_runtime::ApiResource;
    use ::std::option::Option::None;
    use ::std::string::String;

    let setting = Setting {
        id: 1,
        name: String::new(),
        value: None,
        size: 0.5,
        parent_id: None,
    };
    let again = Setting::from_record(setting.to_record()).unwrap();
    ::std::assert_eq!(
        (again.id, again.size, again.value, again.parent_id),
        (1, 0.5, None, None)
    );
    ::std::assert_eq!(again.name, "");
}

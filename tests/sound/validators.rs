//! A validator may be declared before or after its resources, check several of them, stand in
//! another module and be generic.

#![deny(warnings)]

use resource_runtime::{ApiResource, Validator};

mod checks {
    use std::marker::PhantomData;

    #[derive(Default)]
    pub struct Shared {
        _count: u8,
    }

    pub struct Generic<T>(PhantomData<T>);

    impl<T> Default for Generic<T> {
        fn default() -> Self {
            Self(PhantomData)
        }
    }
}

impl Validator<Setting> for checks::Shared {}

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
#[resource(validator = checks::Shared, redacts(r#type, name), redacts(value))]
struct Setting {
    id: i64,
    r#type: String,
    name: Option<String>,
    value: Option<i64>,
}

#[derive(ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(validator = checks::Shared)]
struct User {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(validator = checks::Generic<Note>)]
struct Note {
    id: i64,
}

impl Validator<User> for checks::Shared {}
impl<R: ApiResource> Validator<R> for checks::Generic<R> {}

#[test]
fn it_compiles() {
    let redacted = Setting::ATTRIBUTES.iter();
    let redacted: Vec<bool> = redacted.map(|attribute| attribute.is_redacted()).collect();
    assert_eq!(redacted, [false, true, true, true]);
    let setting = Setting {
        id: 1,
        r#type: String::new(),
        name: None,
        value: None,
    };
    let again = Setting::from_record(setting.to_record()).unwrap();
    assert_eq!((again.id, again.r#type.as_str()), (1, ""));
    assert_eq!((again.name, again.value), (None, None));
    assert_eq!((User { id: 1 }.id, Note { id: 2 }.id), (1, 2));
}

//! The crate may have another name, as it has when Cargo renames the dependency.

use my_api::{ApiResource, FieldValue, Validator};

#[derive(Debug, PartialEq, my_api::FieldValue)]
#[resource(crate = "my_api", rename_all = "lowercase")]
enum Colour {
    Red,
}

#[derive(Debug, PartialEq, my_api::FieldValue)]
#[resource(crate = "my_api")]
struct Paint(Colour);

#[derive(Default)]
struct Check;

impl Validator<Setting> for Check {}

#[derive(my_api::ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", crate = "my_api")]
#[resource(validator = Check)]
struct Setting {
    id: i64,
    #[resource(max_length = 50, default = "none")]
    name: Option<String>,
    paint: Paint,
}

#[test]
fn it_compiles() {
    let setting = Setting {
        id: 1,
        name: None,
        paint: Paint(Colour::Red),
    };
    let again = Setting::from_record(setting.to_record()).unwrap();
    assert_eq!(
        (again.id, again.name, again.paint),
        (1, None, setting.paint)
    );
    assert_eq!(Paint::NAMES, ["red"]);
}

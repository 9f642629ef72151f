//! The crate may have another name, as it has when Cargo renames the dependency.

extern crate resource_runtime as my_api;

use my_api::ApiResource;

#[derive(my_api::ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", crate = "my_api")]
struct Setting {
    id: i64,
    #[resource(max_length = 50, default = "none")]
    name: Option<String>,
}

fn main() {
    let setting = Setting { id: 1, name: None };
    let again = Setting::from_record(setting.to_record()).unwrap();
    assert_eq!((again.id, again.name), (1, None));
}

//! Everything goes through the path that `crate` gives, also where the original is in reach.

use resource_runtime::{ApiResource, FieldValue};

mod api {
    pub mod facade {
        pub mod __private {
            pub use resource_runtime::__private::*;

            // Tells by the name of a resource that the derive came by here.
            pub const fn definition(
                _: &str,
                collection: &'static str,
                version: Version,
            ) -> ResourceDefinition {
                resource_runtime::__private::definition("Renamed", collection, version)
            }

            // Tells the same by the value of a variant.
            pub fn named(_: &str) -> Value {
                Value::Text(String::from("Renamed"))
            }

            // Tells the same of a newtype, which alone has it here.
            pub trait Length {}

            impl Length for String {}
        }
    }
}

#[derive(resource_runtime::ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    crate = "crate::renamed_crate::api::facade"
)]
struct Setting {
    id: i64,
}

#[derive(resource_runtime::FieldValue)]
#[resource(crate = "crate::renamed_crate::api::facade")]
enum Colour {
    Red,
}

#[derive(resource_runtime::FieldValue)]
#[resource(crate = "crate::renamed_crate::api::facade")]
struct Code(String);

fn length_of(_: &impl api::facade::__private::Length) -> &'static str {
    "Renamed"
}

#[test]
fn it_compiles() {
    let code = Code(String::new());
    assert_eq!((length_of(&code), code.0.as_str()), ("Renamed", ""));
    assert_eq!(
        Colour::Red.to_value(),
        resource_runtime::Value::Text(String::from("Renamed"))
    );
    assert_eq!(Setting::DEFINITION.name(), "Renamed");
    assert_eq!(Setting { id: 1 }.id, 1);
}

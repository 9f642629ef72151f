//! Everything goes through the path that `crate` gives, also where the original is in reach.

use resource_runtime::ApiResource;

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
        }
    }
}

#[derive(resource_runtime::ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    crate = "crate::api::facade"
)]
struct Setting {
    id: i64,
}

fn main() {
    assert_eq!(Setting::DEFINITION.name(), "Renamed");
    assert_eq!(Setting { id: 1 }.id, 1);
}

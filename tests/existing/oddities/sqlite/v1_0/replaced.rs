//! The table `replaced`.

use resource_runtime::ApiResource;

// Items are only read, because `ON CONFLICT REPLACE` of `name` would change other rows than the
// one that is written.
#[derive(ApiResource)]
#[resource(
    name = "Replaced",
    url = "/replaceds",
    version = "1.0",
    table = "replaced",
    existing
)]
#[resource(operations(list, retrieve))]
pub struct Replaced {
    pub id: i64,
    #[resource(unique)]
    pub name: Option<String>,
}

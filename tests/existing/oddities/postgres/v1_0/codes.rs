//! The table `codes`.

use resource_runtime::ApiResource;

// Items are not deleted, because rows of `coded` would change with them (`ON DELETE SET NULL` of
// `code`), of which no reference tells.
#[derive(ApiResource)]
#[resource(name = "Code", url = "/codes", version = "1.0", existing)]
#[resource(operations(list, retrieve, create, update))]
pub struct Code {
    #[resource(assigned)]
    pub id: i32,
    #[resource(unique)]
    pub code: String,
}

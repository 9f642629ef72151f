//! The table `coded`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Coded",
    url = "/codeds",
    version = "1.0",
    table = "coded",
    existing
)]
pub struct Coded {
    #[resource(assigned)]
    pub id: i32,
    // References `codes.code`, which an update may change, and this row with it (`ON UPDATE
    // CASCADE`).
    pub code: Option<String>,
}

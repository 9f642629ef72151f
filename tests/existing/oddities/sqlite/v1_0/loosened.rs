//! The view `loosened`.

use resource_runtime::ApiResource;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
// `loose` is left out: its type is not declared, and its values are no blobs; let the view give
// them a type by `CAST`.
#[derive(ApiResource)]
#[resource(
    name = "Loosened",
    url = "/looseneds",
    version = "1.0",
    table = "loosened",
    view
)]
#[resource(ignore("loose"))]
pub struct Loosened {
    pub id: i64,
}

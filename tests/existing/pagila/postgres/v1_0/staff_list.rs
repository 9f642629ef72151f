//! The view `staff_list`.

use resource_runtime::ApiResource;

// The key is `id`, as no two rows share it at present; nothing in the database promises that.
// `password` is left out: its name is that of a secret, and a view takes no writes.
#[derive(ApiResource)]
#[resource(
    name = "StaffList",
    url = "/staff-lists",
    version = "1.0",
    table = "staff_list",
    view
)]
#[resource(ignore("password"))]
pub struct StaffList {
    pub id: i32,
    pub name: Option<String>,
    pub sid: Option<i32>,
}

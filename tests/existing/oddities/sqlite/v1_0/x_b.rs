//! The table `*/ '[x]' <b>`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "XB",
    url = "/x-bs",
    version = "1.0",
    table = "*/ `[x]` <b>",
    existing
)]
pub struct XB {
    pub id: i64,
}

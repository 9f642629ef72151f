//! The table `user_page`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "UserPage2",
    url = "/user-pages",
    version = "1.0",
    table = "user_page",
    existing
)]
pub struct UserPage2 {
    pub id: i64,
}

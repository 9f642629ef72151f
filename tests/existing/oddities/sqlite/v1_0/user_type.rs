//! The table `user_type`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "UserType2",
    url = "/user-types",
    version = "1.0",
    table = "user_type",
    existing
)]
pub struct UserType2 {
    pub id: i64,
}

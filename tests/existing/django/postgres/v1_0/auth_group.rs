//! The table `auth_group`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "AuthGroup",
    url = "/auth-groups",
    version = "1.0",
    table = "auth_group",
    existing
)]
pub struct AuthGroup {
    pub id: i32,
    #[resource(max_length = 150, unique)]
    pub name: String,
}

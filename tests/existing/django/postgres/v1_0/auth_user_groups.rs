//! The table `auth_user_groups`.

use resource_runtime::ApiResource;

use super::{AuthGroup, AuthUser};

#[derive(ApiResource)]
#[resource(
    name = "AuthUserGroup",
    url = "/auth-user-groups",
    version = "1.0",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(user = "user_id", group = "group_id"))]
#[resource(unique(user_id, group_id))]
pub struct AuthUserGroup {
    pub id: i64,
    #[resource(references = AuthUser)]
    pub user_id: i32,
    #[resource(references = AuthGroup)]
    pub group_id: i32,
}

//! The table `auth_group_permissions`.

use resource_runtime::ApiResource;

use super::{AuthGroup, AuthPermission};

#[derive(ApiResource)]
#[resource(
    name = "AuthGroupPermission",
    url = "/auth-group-permissions",
    version = "1.0",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(group = "group_id", permission = "permission_id"))]
#[resource(unique(group_id, permission_id))]
pub struct AuthGroupPermission {
    pub id: i64,
    #[resource(references = AuthGroup)]
    pub group_id: i32,
    #[resource(references = AuthPermission)]
    pub permission_id: i32,
}

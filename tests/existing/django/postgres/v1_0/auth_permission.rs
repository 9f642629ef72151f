//! The table `auth_permission`.

use resource_runtime::ApiResource;

use super::DjangoContentType;

#[derive(ApiResource)]
#[resource(
    name = "AuthPermission",
    url = "/auth-permissions",
    version = "1.0",
    table = "auth_permission",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(content_type = "content_type_id"))]
#[resource(unique(content_type_id, codename))]
pub struct AuthPermission {
    pub id: i32,
    #[resource(max_length = 255)]
    pub name: String,
    #[resource(references = DjangoContentType)]
    pub content_type_id: i32,
    #[resource(max_length = 100)]
    pub codename: String,
}

//! The tables of the database in version 1.0 of the API.
#![allow(missing_docs, reason = "names and comments are those of the database")]

pub mod auth_group;
pub mod auth_group_permissions;
pub mod auth_permission;
pub mod auth_user;
pub mod auth_user_groups;
pub mod django_admin_log;
pub mod django_content_type;
pub mod shop_category;
pub mod shop_product;
pub mod shop_profile;

use resource_runtime::ApiBuilder;

pub use auth_group::AuthGroup;
pub use auth_group_permissions::AuthGroupPermission;
pub use auth_permission::AuthPermission;
pub use auth_user::AuthUser;
pub use auth_user_groups::AuthUserGroup;
pub use django_admin_log::DjangoAdminLog;
pub use django_content_type::DjangoContentType;
pub use shop_category::ShopCategory;
pub use shop_product::ShopProduct;
pub use shop_profile::ShopProfile;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<AuthGroup>()
        .resource::<AuthGroupPermission>()
        .resource::<AuthPermission>()
        .resource::<AuthUser>()
        .resource::<AuthUserGroup>()
        .resource::<DjangoAdminLog>()
        .resource::<DjangoContentType>()
        .resource::<ShopCategory>()
        .resource::<ShopProduct>()
        .resource::<ShopProfile>()
}

//! The table `shop_profile`.

use resource_runtime::ApiResource;

use super::AuthUser;

#[derive(ApiResource)]
#[resource(
    name = "ShopProfile",
    url = "/shop-profiles",
    version = "1.0",
    table = "shop_profile",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(user = "user_id"))]
pub struct ShopProfile {
    #[resource(primary_key, assigned, references = AuthUser)]
    pub user_id: i32,
    #[resource(max_length = 20)]
    pub phone: String,
}

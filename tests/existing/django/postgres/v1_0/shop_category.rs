//! The table `shop_category`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "ShopCategory",
    url = "/shop-categories",
    version = "1.0",
    table = "shop_category",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(parent = "parent_id"))]
pub struct ShopCategory {
    #[resource(primary_key, assigned, max_length = 50)]
    pub slug: String,
    #[resource(max_length = 80)]
    pub name: String,
    #[resource(references = ShopCategory, max_length = 50)]
    pub parent_id: Option<String>,
}

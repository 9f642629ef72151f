//! The table `products`.

use resource_runtime::ApiResource;

use super::{Category, Supplier};

#[derive(ApiResource)]
#[resource(name = "Product", url = "/products", version = "1.0", existing)]
#[resource(subresource(supplier = "supplier_id", category = "category_id"))]
pub struct Product {
    #[resource(primary_key, assigned)]
    pub product_id: i16,
    #[resource(max_length = 40)]
    pub product_name: String,
    #[resource(references = Supplier)]
    pub supplier_id: Option<i16>,
    #[resource(references = Category)]
    pub category_id: Option<i16>,
    #[resource(max_length = 20)]
    pub quantity_per_unit: Option<String>,
    pub unit_price: Option<f32>,
    pub units_in_stock: Option<i16>,
    pub units_on_order: Option<i16>,
    pub reorder_level: Option<i16>,
    pub discontinued: i32,
}

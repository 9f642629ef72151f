//! The table `Products`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

use super::{Category, Supplier};

// Triggers run: `ignored`, `never_negative`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(
    name = "Product",
    url = "/products",
    version = "1.0",
    table = "Products",
    existing
)]
#[resource(subresource(supplier = "supplier_id", category = "category_id"))]
pub struct Product {
    #[resource(primary_key, column = "ProductID")]
    pub product_id: i64,
    #[resource(column = "ProductName")]
    pub product_name: String,
    #[resource(references = Supplier, column = "SupplierID")]
    pub supplier_id: Option<i64>,
    #[resource(references = Category, column = "CategoryID")]
    pub category_id: Option<i64>,
    #[resource(column = "QuantityPerUnit")]
    pub quantity_per_unit: Option<String>,
    // Present values decided how many digits the numbers have.
    #[resource(
        column = "UnitPrice",
        digits(15, 2),
        stored(sqlite = number),
        min = 0,
        default = database
    )]
    pub unit_price: Option<Decimal>,
    #[resource(column = "UnitsInStock", min = 0, default = database)]
    pub units_in_stock: Option<i64>,
    #[resource(column = "UnitsOnOrder", default = database)]
    pub units_on_order: Option<i64>,
    #[resource(column = "ReorderLevel", default = database)]
    pub reorder_level: Option<i64>,
    #[resource(column = "Weight")]
    pub weight: Option<f64>,
    #[resource(column = "Discontinued", default = database)]
    pub discontinued: bool,
}

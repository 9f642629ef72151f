//! The view `Alphabetical list of products`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// The key is `ProductID`, as no two rows share it at present; nothing in the database promises
// that.
#[derive(ApiResource)]
#[resource(
    name = "AlphabeticalListOfProduct",
    url = "/alphabetical-list-of-products",
    version = "1.0",
    table = "Alphabetical list of products",
    view
)]
pub struct AlphabeticalListOfProduct {
    #[resource(primary_key, column = "ProductID")]
    pub product_id: i64,
    #[resource(column = "ProductName")]
    pub product_name: Option<String>,
    #[resource(column = "SupplierID")]
    pub supplier_id: Option<i64>,
    #[resource(column = "CategoryID")]
    pub category_id: Option<i64>,
    #[resource(column = "QuantityPerUnit")]
    pub quantity_per_unit: Option<String>,
    // Present values decided how many digits the numbers have.
    #[resource(column = "UnitPrice", digits(15, 2), stored(sqlite = number))]
    pub unit_price: Option<Decimal>,
    #[resource(column = "UnitsInStock")]
    pub units_in_stock: Option<i64>,
    #[resource(column = "UnitsOnOrder")]
    pub units_on_order: Option<i64>,
    #[resource(column = "ReorderLevel")]
    pub reorder_level: Option<i64>,
    #[resource(column = "Weight")]
    pub weight: Option<f64>,
    #[resource(column = "Discontinued")]
    pub discontinued: Option<bool>,
    #[resource(column = "CategoryName")]
    pub category_name: Option<String>,
}

use resource_runtime::{Api, ApiResource, Validator};

#[derive(ApiResource)]
#[resource(name = "Product", url = "/products", version = "1.0", validator = Check)]
struct Product {
    id: i64,
    #[resource(min = 0, default = 0)]
    price: Option<u64>,
}

#[derive(ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0")]
#[resource(subresource(product = "product_id"))]
struct Order {
    id: i64,
    #[resource(references = Product)]
    product_id: i64,
}

#[derive(Default)]
struct Check;

impl Validator<Product> for Check {}

fn main() {
    let _ = Api::builder().resource::<Product>().resource::<Order>();
}

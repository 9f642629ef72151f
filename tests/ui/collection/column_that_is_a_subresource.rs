use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", subresource(customer = "customer_id"))]
struct Order {
    id: i64,
    #[resource(references = Customer)]
    customer_id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Customer", url = "/customers", version = "1.0")]
#[resource(collection(orders = Order::CUSTOMER, others = Order::CUSTOMER_KEY))]
struct Customer {
    id: i64,
}

fn main() {}

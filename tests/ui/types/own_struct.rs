use resource_runtime::ApiResource;

struct Money(i64);

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    price: Money,
}

fn main() {}

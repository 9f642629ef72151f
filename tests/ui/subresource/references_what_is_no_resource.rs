use resource_runtime::ApiResource;

struct Address;

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
struct Person {
    id: i64,
    #[resource(references = Address)]
    address_id: Option<i64>,
}

fn main() {}

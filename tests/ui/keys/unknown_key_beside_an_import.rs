use address::Address;
use resource_runtime::ApiResource;

mod address {
    #[derive(resource_runtime::ApiResource)]
    #[resource(name = "Address", url = "/addresses", version = "1.0")]
    pub struct Address {
        id: i64,
    }
}

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
struct Person {
    id: i64,
    #[resource(uniqe, references = Address)]
    address_id: i64,
}

fn main() {}

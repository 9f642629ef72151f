//! The service of the README: `cargo run -p resource-runtime --example quickstart`.

use std::process::ExitCode;

use resource_runtime::{Api, ApiResource, cli};

/// A person; responses include the address if a client asks for it.
#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
#[resource(subresource(address = "address_id"))]
struct Person {
    id: i64,
    #[resource(max_length = 80)]
    name: String,
    #[resource(references = Address)]
    address_id: Option<i64>,
}

/// The address of a person.
#[derive(ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
struct Address {
    id: i64,
    line1: String,
    city: Option<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let api = Api::builder().resource::<Person>().resource::<Address>();
    cli::main("quickstart", api).await
}

//! A REST API for persons and their addresses: `cargo run -p resource-runtime --example quickstart`.

use std::process::ExitCode;

use resource_runtime::{Api, ApiResource, cli};

/// The address for bills.
#[derive(ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
pub struct Address {
    pub id: i64,
    #[resource(max_length = 200)]
    pub line1: String,
    #[resource(max_length = 80)]
    pub city: Option<String>,
}

/// A person; responses include the address if a client asks for it.
#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
#[resource(subresource(bill_address = "bill_address_id"))]
pub struct Person {
    pub id: i64,
    #[resource(max_length = 80)]
    pub first_name: String,
    #[resource(references = Address)]
    pub bill_address_id: Option<i64>,
}

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let api = Api::builder()
        .title("Persons")
        .resource::<Address>()
        .resource::<Person>();
    cli::main("quickstart", api).await
}

//! A client that is generated from the description of the address book.

use std::error::Error;

mod api {
    progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);
}

use api::types::{AddressCreate, AddressUpdate};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let base = std::env::args().nth(1).ok_or("the base URL is missing")?;
    let client = api::Client::new(&base);

    let address: AddressCreate = AddressCreate::builder()
        .line1("1 Main Street")
        .city(Some("Oslo".parse()?))
        .try_into()?;
    let created = client.create_address().body(address).send().await?;
    let location = created
        .headers()
        .get("location")
        .ok_or("no location")?
        .to_str()?;
    let id: i64 = location.rsplit('/').next().ok_or("no id")?.parse()?;

    let page = client
        .list_address()
        .filter("eq(city,\"Oslo\")")
        .limit(5)
        .send()
        .await?;
    assert_eq!(page.total_items, 1);
    let line = page.items[0].line1.as_deref();
    assert_eq!(line.map(String::as_str), Some("1 Main Street"));

    let change: AddressUpdate = AddressUpdate::builder()
        .city(Some("Bergen".parse()?))
        .try_into()?;
    client.update_address().id(id).body(change).send().await?;
    let item = client.retrieve_address().id(id).send().await?;
    assert_eq!(item.city.as_deref().map(String::as_str), Some("Bergen"));

    client.delete_address().id(id).send().await?;
    let gone = client.retrieve_address().id(id).send().await;
    assert!(gone.is_err());
    println!("Rust: passed");
    Ok(())
}

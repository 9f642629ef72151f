//! A service through the derive: its resources, on SQLite.

/* modules */
use std::error::Error;

use resource_runtime::{Api, Database};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let database = Database::connect("sqlite://items.db").await?;
    let api = Api::builder()/* resources */;
    let api = api.build(database)?;/* uses */
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    Ok(resource_runtime::serve(listener, api.router()).await?)
}

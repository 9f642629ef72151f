//! A service by hand: the routes of its resources, on SQLite.

/* modules */
mod common;

use std::error::Error;

use axum::Router;
use sqlx::SqlitePool;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let pool = SqlitePool::connect("sqlite://items.db").await?;
    let router = Router::new()/* resources */;
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    Ok(axum::serve(listener, router.with_state(pool)).await?)
}

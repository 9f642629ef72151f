//! The service through the derive, and the tables that all services share.

use std::time::Duration;

use axum::Router;
use resource_runtime::{Api, Database};

use super::models::{Address, Document, HallSeat, Person, Seat, Setting};
use crate::Outcome;

pub(crate) async fn router(url: &str) -> Outcome<Router> {
    Ok(api(url).await?.router())
}

/// Makes the tables of a new database.
pub(crate) async fn create_tables(url: &str) -> Outcome {
    Ok(api(url).await?.create_missing_tables().await?)
}

async fn api(url: &str) -> Outcome<Api> {
    let database = Database::connect(url).await?;
    let api = Api::builder()
        .resource::<Setting>()
        .resource::<Address>()
        .resource::<Person>()
        .resource::<Document>()
        .resource::<Seat>()
        .resource::<HallSeat>()
        .idempotency_keys(Duration::from_hours(24))
        .unprotected();
    Ok(api.build(database)?)
}

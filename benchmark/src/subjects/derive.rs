//! The service through the derive, and the tables that all services share.

use axum::Router;
use resource_runtime::{Api, Database};

use super::models::{Address, Person, Setting};
use crate::Outcome;

pub(super) async fn router(url: &str) -> Outcome<Router> {
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
        .unprotected();
    Ok(api.build(database)?)
}

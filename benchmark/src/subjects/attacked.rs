//! The service through the derive that is attacked, and an import that its host runs beside requests.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use resource_runtime::{Api, ApiResource, Database, Error};

use super::models::Setting;
use crate::Outcome;

/// Path at which the host is told to import, which it does for a while.
pub(crate) const IMPORT: &str = "/import";

const IMPORTING: Duration = Duration::from_secs(12);

/// Documents that one transaction imports.
const BATCH: usize = 1000;

/// A text of any length.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "1.0")]
struct Document {
    id: i64,
    title: String,
    text: String,
}

pub(super) async fn router(url: &str) -> Outcome<Router> {
    let database = Database::connect(url).await?;
    let host = Router::new().route(IMPORT, post(import));
    let api = api(database)?;
    Ok(api.router().merge(host.with_state(api)))
}

/// Makes the tables that are missing.
pub(crate) async fn create_tables(url: &str) -> Outcome {
    let database = Database::connect(url).await?;
    Ok(api(database)?.create_missing_tables().await?)
}

fn api(database: Database) -> Outcome<Api> {
    let api = Api::builder()
        .resource::<Setting>()
        .resource::<Document>()
        .unprotected();
    Ok(api.build(database)?)
}

/// Imports documents for a while, and answers their number.
async fn import(State(api): State<Api>) -> Result<String, (StatusCode, String)> {
    let end = Instant::now() + IMPORTING;
    let mut imported = 0;
    while Instant::now() < end {
        let failed = |error: Error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
        import_batch(&api).await.map_err(failed)?;
        imported += BATCH;
    }
    Ok(imported.to_string())
}

async fn import_batch(api: &Api) -> Result<(), Error> {
    let mut transaction = api.begin().await?;
    let document = Document {
        id: 0,
        title: "an imported document".to_owned(),
        text: "a text as long as most texts are".to_owned(),
    };
    for _ in 0..BATCH {
        transaction.items().insert(document.clone()).await?;
    }
    transaction.commit(()).await.map(drop)
}

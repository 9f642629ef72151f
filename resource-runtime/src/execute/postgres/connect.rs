use std::str::FromStr;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::DatabaseOptions;
use crate::error::Error;

/// Statements that each connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// How long one statement may take before the server itself gives it up.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) async fn pool(url: &str, options: &DatabaseOptions) -> Result<PgPool, Error> {
    let server = PgConnectOptions::from_str(url)
        .map_err(|error| Error::new(format!("the URL of the PostgreSQL server is none: {error}")))?
        .statement_cache_capacity(PREPARED_STATEMENTS)
        .options([
            ("statement_timeout", milliseconds(STATEMENT_TIMEOUT)),
            ("lock_timeout", milliseconds(options.acquire_timeout)),
            ("TimeZone", String::from("UTC")),
        ]);
    let (host, port) = (server.get_host().to_owned(), server.get_port());
    PgPoolOptions::new()
        .max_connections(options.connections)
        .acquire_timeout(options.acquire_timeout)
        // A connection that has died shows it at its first statement.
        .test_before_acquire(false)
        .connect_with(server)
        .await
        .map_err(|error| {
            Error::new(format!(
                "cannot connect to PostgreSQL at `{host}:{port}`: {error}"
            ))
        })
}

fn milliseconds(duration: Duration) -> String {
    duration.as_millis().to_string()
}

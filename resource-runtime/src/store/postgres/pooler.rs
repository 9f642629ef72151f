//! Whether a connection pooler stands between that breaks prepared statements.
//!
//! Such a pooler hands each transaction whichever server connection is free. The driver numbers the
//! statements of each of its connections from one, so on a server connection that two of them
//! share, a number means what the other one prepared, or nothing.

use std::time::Duration;

use sqlx::error::DatabaseError;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection as _, Executor as _};
use tokio::time::{Instant, timeout};

use super::watch::silent;

/// How long the look may take at most, and half of what is left until the deadline: a pooler with one
/// server connection lets nobody else have it.
const LOOK: Duration = Duration::from_secs(1);

/// Two texts, which the driver gives the same number on two connections.
const ONE: &str = "SELECT 1";
const OTHER: &str = "SELECT 2";

/// Whether statements of `first` and of a second connection meet; an error where there was no time to look.
pub(super) async fn mixes(
    first: &mut PgConnection,
    server: &PgConnectOptions,
    deadline: Instant,
) -> sqlx::Result<bool> {
    let left = deadline.saturating_duration_since(Instant::now());
    let limit = LOOK.min(left / 2);
    match timeout(limit, meet(first, server)).await {
        Ok(met) => Ok(met.is_err_and(|error| is_mixed(&error))),
        // Too short a look tells nothing of a server that came late.
        Err(_) if limit < LOOK / 4 => Err(silent(left)),
        Err(_) => Ok(false),
    }
}

/// In a pooler the second connection is given the server connection which the first one left,
/// and keeps it by its transaction, so that the first is given another. Where there is no room for
/// a second one, nothing can be told.
async fn meet(first: &mut PgConnection, server: &PgConnectOptions) -> sqlx::Result<()> {
    first.execute(sqlx::query(ONE)).await?;
    let Ok(mut second) = PgConnection::connect_with(server).await else {
        return Ok(());
    };
    let mut transaction = second.begin().await?;
    transaction.execute(sqlx::query(OTHER)).await?;
    first.execute(sqlx::query(ONE)).await?;
    transaction.rollback().await
}

/// A prepared statement is missing, or is there already, or is another one than the driver thinks.
fn is_mixed(error: &sqlx::Error) -> bool {
    let code = code(error);
    matches!(code.as_deref(), Some("26000" | "42P05" | "08P01"))
}

/// Whether the pooler knows no startup parameter `options`, in which the settings are sent.
pub(super) fn refuses_options(error: &sqlx::Error) -> bool {
    let message = error.as_database_error().map(DatabaseError::message);
    let is_about_options = message.is_some_and(|it| it.contains("startup parameter"));
    is_about_options && code(error).as_deref() == Some("08P01")
}

fn code(error: &sqlx::Error) -> Option<String> {
    let code = error.as_database_error()?.code()?;
    Some(code.into_owned())
}

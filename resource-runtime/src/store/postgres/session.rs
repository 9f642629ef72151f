//! What the server really applies: settings, poolers, writes.

use std::time::Duration;

use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use tokio::time::{Instant, timeout};

use super::PostgresDatabase;
use super::connect::Settings;
use super::deadline::silent;
use super::failure::{database, of};

/// The server knows the units in which its settings are written, and which of them came with the
/// connection. Those that it has under a name of an extension's are in none of its lists.
const SETTINGS: &str = r"
    SELECT current_setting('server_encoding'),
           (SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'),
           (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout'),
           ARRAY(SELECT said.name FROM unnest($1::text[], $2::text[]) AS said (name, value)
                 LEFT JOIN pg_settings AS had ON lower(had.name) = said.name
                 WHERE CASE WHEN had.name IS NOT NULL
                            THEN had.source <> 'client' AND current_setting(had.name) <> said.value
                            WHEN said.name LIKE '%.%'
                            THEN current_setting(said.name, true) IS DISTINCT FROM said.value
                            ELSE false END)";

/// The settings of a session that the service depends on; a time of zero is no limit.
#[derive(Debug)]
pub(super) struct Session {
    encoding: String,
    pub(super) statement_timeout: Duration,
    lock_timeout: Duration,
    /// Settings that the URL says, and the session has not.
    lost: Vec<String>,
}

impl Session {
    pub(super) async fn of(
        connection: &mut PgConnection,
        settings: &Settings,
    ) -> sqlx::Result<Self> {
        let (names, values): (Vec<_>, Vec<_>) = settings.said.iter().cloned().unzip();
        let asked = sqlx::query(SETTINGS).bind(names).bind(values);
        let row = asked.fetch_one(connection).await?;
        let time = |index| {
            let milliseconds = row.try_get::<i64, _>(index)?;
            Ok::<_, sqlx::Error>(Duration::from_millis(milliseconds.unsigned_abs()))
        };
        Ok(Self {
            encoding: row.try_get(0)?,
            statement_timeout: time(1)?,
            lock_timeout: time(2)?,
            lost: row.try_get(3)?,
        })
    }

    /// Texts are any that Unicode has, so the database has to be able to store them.
    pub(super) fn require_unicode(&self, address: &str) -> Result<(), Error> {
        let encoding = &self.encoding;
        if encoding == "UTF8" {
            return Ok(());
        }
        Err(Error::configuration(format!(
            "the database at `{address}` is encoded in `{encoding}`, which has not all characters; \
             create one in UTF8: `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`"
        )))
    }

    /// Without what the URL says, the service might find the tables of another schema.
    pub(super) fn require_settings(&self, address: &str) -> Result<(), Error> {
        let Some(first) = self.lost.first() else {
            return Ok(());
        };
        let lost = self.lost.join("`, `");
        Err(Error::configuration(format!(
            "the connection pooler at `{address}` keeps settings from the server that the `options` of \
             the URL say: `{lost}`; set them for the role (`ALTER ROLE … SET {first} = …`) and take \
             them out of the URL, or connect to the server itself"
        )))
    }

    /// Those limits that a session was to have, and has not, or longer ones: a pooler has ignored them.
    pub(super) fn lacking(&self, settings: &Settings) -> Vec<(&'static str, Duration)> {
        let limits = settings.limits.iter().copied();
        let lacking = limits.filter(|(name, asked)| {
            let had = match *name {
                "lock_timeout" => self.lock_timeout,
                _ => self.statement_timeout,
            };
            // Sent in milliseconds, of which zero is no limit.
            asked.as_millis() > 0 && (had.is_zero() || had > *asked)
        });
        lacking.collect()
    }

    pub(super) fn warn_of_long_waits(&self, settings: &Settings, acquire_timeout: Duration) {
        let is_said = settings.said.iter().any(|(name, _)| name == "lock_timeout");
        let lock_timeout = self.lock_timeout;
        if is_said && (lock_timeout.is_zero() || lock_timeout > acquire_timeout) {
            tracing::warn!(
                ?lock_timeout,
                ?acquire_timeout,
                "statements may wait for locks longer than requests are to wait, as the URL says"
            );
        }
    }
}

/// Tells operators what it costs that sessions lack these limits.
pub(super) fn warn_of_lacking(limits: &[(&'static str, Duration)], address: &str) {
    if limits.is_empty() {
        return;
    }
    let roles = limits.iter().map(|(name, limit)| {
        let milliseconds = limit.as_millis();
        format!("`ALTER ROLE … SET {name} = {milliseconds}`")
    });
    let remedy = roles.collect::<Vec<_>>().join(" and ");
    tracing::warn!(
        "the connection pooler at `{address}` keeps the time limits of sessions from the server: each \
         transaction sets them, which takes the server more answers; spare them by {remedy}, and start \
         the service again"
    );
}

/// How long the look may take at most, and half of what is left until the deadline: a pooler with one
/// server connection lets nobody else have it.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// Two texts, which the driver gives the same number on two connections.
const ONE: &str = "SELECT 1";
const OTHER: &str = "SELECT 2";

/// Whether statements of `first` and of a second connection meet; an error where there was no time to look.
pub(super) async fn is_transaction_pooler(
    first: &mut PgConnection,
    server: &PgConnectOptions,
    deadline: Instant,
) -> sqlx::Result<bool> {
    let left = deadline.saturating_duration_since(Instant::now());
    let limit = PROBE_TIMEOUT.min(left / 2);
    match timeout(limit, run_interleaved(first, server)).await {
        Ok(met) => Ok(met.is_err_and(|error| is_mixed(&error))),
        // Too short a look tells nothing of a server that came late.
        Err(_) if limit < PROBE_TIMEOUT / 4 => Err(silent(left)),
        Err(_) => Ok(false),
    }
}

/// In a pooler the second connection is given the server connection which the first one left,
/// and keeps it by its transaction, so that the first is given another. Where there is no room for
/// a second one, nothing can be told.
async fn run_interleaved(first: &mut PgConnection, server: &PgConnectOptions) -> sqlx::Result<()> {
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
    let code = database(error).map(PgDatabaseError::code);
    matches!(code, Some("26000" | "42P05" | "08P01"))
}

/// Whether the pooler knows no startup parameter `options`, in which the settings are sent.
pub(super) fn refuses_options(error: &sqlx::Error) -> bool {
    database(error).is_some_and(|error| {
        error.code() == "08P01" && error.message().contains("startup parameter")
    })
}

/// What holds for transactions that say nothing of it.
const TAKES_WRITES: &str =
    "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'";

const READ_ONLY: &str = "the server takes no writes: it is a standby, or `default_transaction_read_only` \
    is on; connect to the primary, as by several hosts behind one name that leads to it";

impl PostgresDatabase {
    /// Fails where writes would be refused.
    pub(super) async fn probe_writes(&self) -> DatabaseResult<()> {
        let row = self.first_row(|| Ok(sqlx::query(TAKES_WRITES))).await?;
        let takes_writes = row.map_or(Ok(false), |row| row.try_get(0));
        if takes_writes.map_err(of)? {
            return Ok(());
        }
        // After a failover, new connections may find the server that writes.
        self.timeout.health.record_fault_rate_limited();
        Err(DatabaseFailure::unavailable(READ_ONLY.to_owned()))
    }
}

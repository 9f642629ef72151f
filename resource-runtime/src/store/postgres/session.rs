//! Probes of the server: the settings that its sessions have, a pooler before it, and whether it takes writes.

use std::time::Duration;

use resource_model::error::{DatabaseFailure, DatabaseResult, Error};
use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use tokio::time::{Instant, timeout};

use super::PostgresDatabase;
use super::connect::Settings;
use super::failure::{database, statement_failure};
use super::hosts::STATE;
use super::statement_timeout::timeout_error;

/// Reads the settings of a session, and the names of those settings of the URL that it lacks. A setting with the
/// source `client` came with the connection. Settings of extensions have a dot in their name and may be missing in
/// `pg_settings`, so that only their value can be compared.
const SETTINGS: &str = r"
    SELECT current_setting('server_encoding'),
           (SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'),
           (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout'),
           ARRAY(SELECT url.name FROM unnest($1::text[], $2::text[]) AS url (name, value)
                 LEFT JOIN pg_settings AS stored ON lower(stored.name) = url.name
                 WHERE CASE WHEN stored.name IS NOT NULL
                            THEN stored.source <> 'client' AND current_setting(stored.name) <> url.value
                            WHEN url.name LIKE '%.%'
                            THEN current_setting(url.name, true) IS DISTINCT FROM url.value
                            ELSE false END)";

/// The settings of a session that the service depends on; a time of zero is no limit.
#[derive(Debug)]
pub(super) struct SessionSettings {
    encoding: String,
    pub(super) statement_timeout: Duration,
    lock_timeout: Duration,
    /// Names of settings that the URL has and the session lacks.
    missing: Vec<String>,
}

impl SessionSettings {
    pub(super) async fn read(
        connection: &mut PgConnection,
        requested: &Settings,
    ) -> sqlx::Result<Self> {
        let (names, values): (Vec<_>, Vec<_>) = requested.from_url.iter().cloned().unzip();
        let query = sqlx::query(SETTINGS).bind(names).bind(values);
        let row = query.fetch_one(connection).await?;
        // Both settings have the unit of a millisecond in the catalogue, and neither is ever negative.
        let time = |index| {
            let milliseconds = row.try_get::<i64, _>(index)?;
            Ok::<_, sqlx::Error>(Duration::from_millis(milliseconds.unsigned_abs()))
        };
        Ok(Self {
            encoding: row.try_get(0)?,
            statement_timeout: time(1)?,
            lock_timeout: time(2)?,
            missing: row.try_get(3)?,
        })
    }

    /// Fails where the database cannot store every Unicode text, or the session lacks a setting of the URL: without its
    /// `search_path`, the service might use the tables of another schema.
    pub(super) fn require_fit(&self, address: &str) -> Result<(), Error> {
        let (encoding, missing) = (&self.encoding, self.missing.join("`, `"));
        let problem = match self.missing.first() {
            _ if encoding != "UTF8" => format!(
                "the database at `{address}` is encoded in `{encoding}`, which has not all characters; \
                 create one in UTF8: `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`"
            ),
            // A pooler may drop `options` without an error, if it is told to ignore them.
            Some(first) => format!(
                "the connection pooler at `{address}` does not pass on these settings of the URL's `options`: \
                 `{missing}`; set them for the role (`ALTER ROLE … SET {first} = …`) and take \
                 them out of the URL, or connect to the server itself"
            ),
            None => return Ok(()),
        };
        Err(Error::configuration(problem))
    }

    /// Requested limits that the session has not, or has longer, because a pooler ignored them.
    pub(super) fn missing_limits(&self, requested: &Settings) -> Vec<(&'static str, Duration)> {
        let limits = requested.limits.iter().copied();
        let missing = limits.filter(|(name, limit)| {
            // These two limits alone are requested.
            let actual = match *name {
                "lock_timeout" => self.lock_timeout,
                _ => self.statement_timeout,
            };
            // Limits are sent in milliseconds, where zero is no limit.
            limit.as_millis() > 0 && (actual.is_zero() || actual > *limit)
        });
        missing.collect()
    }

    /// Logs a `lock_timeout` of the URL that exceeds the time that requests may wait.
    pub(super) fn warn_of_long_waits(&self, requested: &Settings, acquire_timeout: Duration) {
        let mut from_url = requested.from_url.iter();
        let lock_timeout = self.lock_timeout;
        // Only the URL can ask for more: our own limit is the time that requests may wait.
        if from_url.any(|(name, _)| name == "lock_timeout")
            && (lock_timeout.is_zero() || lock_timeout > acquire_timeout)
        {
            tracing::warn!(
                ?lock_timeout,
                ?acquire_timeout,
                "the `lock_timeout` of the URL lets statements wait for locks longer than requests may wait"
            );
        }
    }
}

/// Logs the limits that sessions lack, their cost and the fix.
pub(super) fn warn_of_missing_limits(limits: &[(&'static str, Duration)], address: &str) {
    if limits.is_empty() {
        return;
    }
    let commands = limits.iter().map(|(name, limit)| {
        let milliseconds = limit.as_millis();
        format!("`ALTER ROLE … SET {name} = {milliseconds}`")
    });
    // A setting of the role is applied by the server itself, behind every pooler.
    let remedy = commands.collect::<Vec<_>>().join(" and ");
    tracing::warn!(
        "the connection pooler at `{address}` does not pass the time limits of sessions on to the server: each \
         transaction sets them, which costs further round trips; avoid these by {remedy}, and restart \
         the service"
    );
}

/// Longest time for the probe of a pooler. A pooler with one server connection lets the probe wait for ever.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// Two statements that sqlx prepares by the same name on two connections.
const ONE: &str = "SELECT 1";
const OTHER: &str = "SELECT 2";

/// Tests for a pooler that mixes up the prepared statements of two connections. Fails if there is too little
/// time for the probe.
pub(super) async fn loses_prepared_statements(
    first: &mut PgConnection,
    server: &PgConnectOptions,
    deadline: Instant,
) -> sqlx::Result<bool> {
    let left = deadline.saturating_duration_since(Instant::now());
    // The other half is left for the settings.
    let limit = PROBE_TIMEOUT.min(left / 2);
    match timeout(limit, run_interleaved(first, server)).await {
        Ok(result) => Ok(result.is_err_and(|error| is_statement_mix_up(&error))),
        // A server that started late left too little time for a meaningful probe.
        Err(_) if limit < PROBE_TIMEOUT / 4 => Err(timeout_error(limit)),
        // A second connection that has to wait for the server connection of the first belongs to a pooler in
        // session mode, which mixes nothing up.
        Err(_) => Ok(false),
    }
}

/// Runs statements on two connections in turns. A pooler in transaction mode gives the second connection the
/// server connection that the first one used, and the open transaction keeps it, so that the first gets another
/// one, which lacks its prepared statement.
async fn run_interleaved(first: &mut PgConnection, server: &PgConnectOptions) -> sqlx::Result<()> {
    first.execute(sqlx::query(ONE)).await?;
    // Without room for a second connection the probe finds nothing.
    let Ok(mut second) = PgConnection::connect_with(server).await else {
        return Ok(());
    };
    let mut transaction = second.begin().await?;
    transaction.execute(sqlx::query(OTHER)).await?;
    first.execute(sqlx::query(ONE)).await?;
    // Both connections found their own statement, so that the pooler keeps sessions apart.
    transaction.rollback().await
}

/// Tests whether a prepared statement is missing, exists already, or differs from that of sqlx.
fn is_statement_mix_up(error: &sqlx::Error) -> bool {
    // In the order of the cases above; the third is a statement with another number of parameters.
    let code = database(error).map(PgDatabaseError::code);
    matches!(code, Some("26000" | "42P05" | "08P01"))
}

/// Tests whether a pooler refuses the startup parameter `options`, which carries the settings.
pub(super) fn refuses_options(error: &sqlx::Error) -> bool {
    database(error).is_some_and(|error| {
        // The code alone means any violation of the protocol; poolers do not translate their messages.
        error.code() == "08P01" && error.message().contains("startup parameter")
    })
}

const READ_ONLY: &str = "the server takes no writes: it is a standby, or `default_transaction_read_only` \
    is on; connect to the primary, for instance by a URL with all hosts and `target_session_attrs=read-write`";

impl PostgresDatabase {
    /// Fails where writes would be refused.
    pub(super) async fn probe_writes(&self) -> DatabaseResult<()> {
        let row = self.first_row(|| Ok(sqlx::query(STATE))).await?;
        // A query without `FROM` always has a row.
        let state = row.map_or(Ok(String::new()), |row| row.try_get(0));
        if state.map_err(statement_failure)? == "primary" {
            return Ok(());
        }
        self.timeout.last_fault.record_read_only();
        Err(DatabaseFailure::unavailable(READ_ONLY.to_owned()))
    }
}

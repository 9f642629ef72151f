//! What the server really applies, which poolers may keep from what it is told.

use std::time::Duration;

use resource_model::error::Error;
use sqlx::{PgConnection, Row as _};

use super::settings::Settings;

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

//! What the server really applies, which poolers may keep from what it is told.

use std::time::Duration;

use sqlx::{PgConnection, Row as _};

use crate::error::Error;

/// The server knows the units in which its settings are written.
const SETTINGS: &str = r"
    SELECT current_setting('server_encoding'),
           (SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'),
           (SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout')";

/// The settings of a session that the service depends on; a time of zero is no limit.
#[derive(Debug)]
pub(super) struct Session {
    encoding: String,
    pub(super) statement_timeout: Duration,
    lock_timeout: Duration,
}

impl Session {
    pub(super) async fn of(connection: &mut PgConnection) -> sqlx::Result<Self> {
        let row = sqlx::query(SETTINGS).fetch_one(connection).await?;
        let time = |index| {
            let milliseconds = row.try_get::<i64, _>(index)?;
            Ok::<_, sqlx::Error>(Duration::from_millis(milliseconds.unsigned_abs()))
        };
        Ok(Self {
            encoding: row.try_get(0)?,
            statement_timeout: time(1)?,
            lock_timeout: time(2)?,
        })
    }

    /// Texts are any that Unicode has, so the database has to be able to store them.
    pub(super) fn require_unicode(&self, address: &str) -> Result<(), Error> {
        let encoding = &self.encoding;
        if encoding == "UTF8" {
            return Ok(());
        }
        Err(Error::new(format!(
            "the database at `{address}` is encoded in `{encoding}`, which has not all characters; \
             create one in UTF8: `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`"
        )))
    }

    pub(super) fn warn_of_long_waits(&self, acquire_timeout: Duration) {
        let lock_timeout = self.lock_timeout;
        if lock_timeout.is_zero() || lock_timeout > acquire_timeout {
            tracing::warn!(
                ?lock_timeout,
                ?acquire_timeout,
                "statements may wait for locks longer than requests are to wait; does a connection \
                 pooler ignore the settings of sessions?"
            );
        }
    }
}

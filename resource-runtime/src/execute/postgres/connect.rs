use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::failure::cause;
use super::places::Places;
use super::pool::pool;
use super::pooler;
use super::server::{address, patience, server};
use super::session::Session;
use super::totals::Totals;
use super::watch::{Watch, silent};
use super::{DatabaseOptions, PostgresDatabase};
use crate::error::Error;

/// How long a service that starts waits before it knocks again at a server that does not listen.
const KNOCK_AGAIN_AFTER: Duration = Duration::from_millis(100);

impl PostgresDatabase {
    pub(in crate::execute) async fn open(
        url: &str,
        options: &DatabaseOptions,
    ) -> Result<Self, Error> {
        let server = server(url, options)?;
        let mut first = reach(&server, options.acquire_timeout)
            .await
            .map_err(|error| unreachable(&server, &error))?;
        if pooler::mixes(&mut first, &server).await {
            return Err(mixed(&server));
        }
        let session = timeout(options.acquire_timeout, Session::of(&mut first)).await;
        let session = session
            .unwrap_or_else(|_| Err(silent(options.acquire_timeout)))
            .map_err(|error| unreachable(&server, &error))?;
        session.require_unicode(&address(&server))?;
        session.warn_of_long_waits(options.acquire_timeout);
        let watch = Watch {
            faults: Arc::default(),
            limit: patience(session.statement_timeout),
        };
        Ok(Self {
            crowds: Arc::default(),
            totals: Arc::new(Totals::new(watch.faults.clone())),
            places: Places::new(pool(server, options, &watch.faults), &watch),
            watch,
            acquire_timeout: options.acquire_timeout,
        })
    }
}

/// A connection, as soon as the server listens.
async fn reach(server: &PgConnectOptions, limit: Duration) -> sqlx::Result<PgConnection> {
    let deadline = Instant::now() + limit;
    let mut last = silent(limit);
    while let Ok(connected) = timeout_at(deadline, PgConnection::connect_with(server)).await {
        match connected {
            Err(error) if passes(&error) => last = error,
            done => return done,
        }
        sleep(KNOCK_AGAIN_AFTER).await;
    }
    Err(last)
}

/// Whether a server that starts, or that is full, may let us in a moment later.
fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => matches!(
            error.kind(),
            ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof
        ),
        sqlx::Error::Database(error) => error.is_transient_in_connect_phase(),
        _ => false,
    }
}

fn unreachable(server: &PgConnectOptions, error: &sqlx::Error) -> Error {
    let address = address(server);
    let cause = cause(error);
    if pooler::refuses_options(error) {
        return Error::new(format!(
            "the connection pooler at `{address}` refuses the settings of our sessions: {cause}; \
             set `ignore_startup_parameters = options` there, or connect to the server itself"
        ));
    }
    Error::new(format!(
        "cannot connect to PostgreSQL at `{address}`: {cause}"
    ))
}

fn mixed(server: &PgConnectOptions) -> Error {
    let address = address(server);
    Error::new(format!(
        "the connection pooler at `{address}` hands out another server connection for each \
         transaction and loses prepared statements on the way; set `pool_mode = session` there, \
         or `max_prepared_statements` (PgBouncer 1.21 or newer), or connect to the server itself"
    ))
}

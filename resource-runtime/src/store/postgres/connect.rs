use std::io;
use std::sync::Arc;
use std::time::Duration;

use resource_model::error::{Error, ErrorKind};
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep, timeout_at};

use super::failure::{cause, is_passing};
use super::limits::Limits;
use super::lists::Totals;
use super::places::Places;
use super::pool::pool;
use super::server::{address, patience, server};
use super::session::{Session, warn_of_lacking};
use super::watch::{Watch, silent};
use super::{DatabaseOptions, PostgresDatabase, pooler};

/// How long a service that starts waits before it knocks again at a server that does not listen.
const KNOCK_AGAIN_AFTER: Duration = Duration::from_millis(100);

impl PostgresDatabase {
    pub(in crate::store) async fn open(
        url: &str,
        options: &DatabaseOptions,
    ) -> Result<Self, Error> {
        // Whatever is waited for, a start takes no longer than a request waits for a connection.
        let deadline = Instant::now() + options.acquire_timeout;
        let (server, settings) = server(url, options)?;
        let unreachable = |error| unreachable(&server, &error);
        let mut first = reach(&server, deadline, options.acquire_timeout)
            .await
            .map_err(unreachable)?;
        let mixes = pooler::mixes(&mut first, &server, deadline).await;
        if mixes.map_err(unreachable)? {
            return Err(mixed(&server));
        }
        let session = timeout_at(deadline, Session::of(&mut first, &settings)).await;
        let session = session
            .unwrap_or_else(|_| Err(silent(options.acquire_timeout)))
            .map_err(unreachable)?;
        let address = address(&server);
        session.require_unicode(&address)?;
        session.require_settings(&address)?;
        session.warn_of_long_waits(&settings, options.acquire_timeout);
        let lacking = session.lacking(&settings);
        warn_of_lacking(&lacking, &address);
        let watch = Watch {
            faults: Arc::default(),
            limit: patience(limit(&lacking).unwrap_or(session.statement_timeout)),
        };
        Ok(Self {
            flights: Arc::default(),
            totals: Arc::new(Totals::new(watch.faults.clone())),
            places: Places::new(pool(server, options, &watch.faults), &watch),
            watch,
            limits: Limits::of(&lacking),
            acquire_timeout: options.acquire_timeout,
        })
    }
}

/// How long a statement may run, where transactions set that themselves.
fn limit(lacking: &[(&'static str, Duration)]) -> Option<Duration> {
    let mut limits = lacking.iter();
    let (_, limit) = limits.find(|(name, _)| *name == "statement_timeout")?;
    Some(*limit)
}

/// A connection, as soon as the server listens.
async fn reach(
    server: &PgConnectOptions,
    deadline: Instant,
    limit: Duration,
) -> sqlx::Result<PgConnection> {
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

/// Whether a server that starts or is full, or a proxy without one, may let us in a moment later.
fn passes(error: &sqlx::Error) -> bool {
    match error {
        // What TLS does not accept stays so.
        sqlx::Error::Io(error) => error.kind() != io::ErrorKind::InvalidData,
        sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(_) => is_passing(error) && !pooler::refuses_options(error),
        _ => false,
    }
}

fn unreachable(server: &PgConnectOptions, error: &sqlx::Error) -> Error {
    let address = address(server);
    let cause = cause(error);
    if pooler::refuses_options(error) {
        return Error::configuration(format!(
            "the connection pooler at `{address}` refuses the settings of our sessions: {cause}; \
             set `ignore_startup_parameters = options` there, or connect to the server itself"
        ));
    }
    let kind = if is_passing(error) {
        ErrorKind::Unavailable
    } else {
        ErrorKind::Configuration
    };
    let problem = format!("cannot connect to PostgreSQL at `{address}`: {cause}");
    Error::of_kind(kind, problem)
}

fn mixed(server: &PgConnectOptions) -> Error {
    let address = address(server);
    Error::configuration(format!(
        "the connection pooler at `{address}` hands out another server connection for each \
         transaction and loses prepared statements on the way; set `pool_mode = session` there, \
         or `max_prepared_statements` (PgBouncer 1.21 or newer), or connect to the server itself"
    ))
}

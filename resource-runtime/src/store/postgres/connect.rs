//! Connections to a server: where it is, the settings that its sessions begin with, and the remedy where none is made.

use std::io;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use resource_model::error::{Error, ErrorKind};
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep, timeout_at};

use super::deadline::{StatementTimeout, silent};
use super::failure::{cause, is_passing};
use super::idle_pool::IdlePool;
use super::limits::Limits;
use super::lists::Totals;
use super::pool::pool;
use super::session::{self, Session, warn_of_lacking};
use super::{DatabaseOptions, PostgresDatabase};
use crate::store::misconfigured;

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
        let unreachable = |error| unreachable(&server, error);
        let mut first = reach(&server, deadline, options.acquire_timeout)
            .await
            .map_err(unreachable)?;
        let is_transaction_pooler =
            session::is_transaction_pooler(&mut first, &server, deadline).await;
        if is_transaction_pooler.map_err(unreachable)? {
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
        // Where the session lacks the limit, transactions set it themselves.
        let mut set = lacking.iter();
        let set = set.find(|(name, _)| *name == "statement_timeout");
        let timeout = StatementTimeout {
            health: Arc::default(),
            limit: client_timeout(set.map_or(session.statement_timeout, |(_, limit)| *limit)),
        };
        Ok(Self {
            flights: Arc::default(),
            totals: Arc::new(Totals::new(timeout.health.clone())),
            idle_pool: IdlePool::new(pool(server, options, &timeout.health), &timeout),
            timeout,
            limits: Limits::of(&lacking),
            acquire_timeout: options.acquire_timeout,
        })
    }
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
        sqlx::Error::Database(_) => is_passing(error) && !session::refuses_options(error),
        _ => false,
    }
}

fn unreachable(server: &PgConnectOptions, error: sqlx::Error) -> Error {
    let address = address(server);
    let cause = cause(&error);
    if session::refuses_options(&error) {
        return Error::configuration(format!(
            "the connection pooler at `{address}` refuses the settings of our sessions: {cause}; \
             set `ignore_startup_parameters = options` there, or connect to the server itself"
        ));
    }
    let kind = if is_passing(&error) {
        ErrorKind::Unavailable
    } else {
        ErrorKind::Configuration
    };
    let problem = format!("cannot connect to PostgreSQL at `{address}`: {cause}");
    Error::of_kind(kind, problem).with_source(error)
}

fn mixed(server: &PgConnectOptions) -> Error {
    let address = address(server);
    Error::configuration(format!(
        "the connection pooler at `{address}` hands out another server connection for each \
         transaction and loses prepared statements on the way; set `pool_mode = session` there, \
         or `max_prepared_statements` (PgBouncer 1.21 or newer), or connect to the server itself"
    ))
}

/// Statements that each connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// How to connect to the server at `url`, and what its sessions are told.
fn server(url: &str, options: &DatabaseOptions) -> Result<(PgConnectOptions, Settings), Error> {
    let server = PgConnectOptions::from_str(url)
        .map_err(|error| misconfigured("the URL of the PostgreSQL server is none", error))?;
    let said = said(server.get_options().unwrap_or_default());
    let ours = [
        ("statement_timeout", options.statement_timeout),
        ("lock_timeout", options.acquire_timeout),
    ];
    // Of two values for one setting the server takes the last, which would be ours.
    let is_said = |name: &str| said.iter().any(|(it, _)| it == name);
    let limits = ours.into_iter().filter(|(name, _)| !is_said(name));
    let limits: Vec<(&str, Duration)> = limits.collect();
    let milliseconds = limits
        .iter()
        .map(|(name, limit)| (*name, limit.as_millis()));
    let server = server
        .statement_cache_capacity(PREPARED_STATEMENTS)
        // Only numbers that travel as text would be different, and poolers refuse to be told.
        .extra_float_digits(None)
        .options(milliseconds.collect::<Vec<_>>());
    Ok((server, Settings { said, limits }))
}

/// Where the server is, for people: its address alone, never who connects and how.
fn address(server: &PgConnectOptions) -> String {
    let (host, port) = (server.get_host(), server.get_port());
    match server.get_socket() {
        Some(socket) => format!("{}:{port}", socket.display()),
        None => format!("{host}:{port}"),
    }
}

/// How long the server may be silent where it gives up a statement after `limit`: a second more,
/// so that it is heard where it does. Zero is no limit, as it is for the server.
fn client_timeout(limit: Duration) -> Option<Duration> {
    (!limit.is_zero()).then(|| limit + Duration::from_secs(1))
}

#[derive(Debug)]
pub(super) struct Settings {
    /// What the `options` of the URL say.
    pub(super) said: Vec<(String, String)>,
    /// Those of our limits that the URL leaves to us; zero is no limit.
    pub(super) limits: Vec<(&'static str, Duration)>,
}

/// The settings in the command line of a server: `-c name=…`, `-cname=…` or `--name=…`.
fn said(options: &str) -> Vec<(String, String)> {
    let words = words(options);
    let settings = words.iter().filter_map(|word| {
        let word = word.strip_prefix("--").unwrap_or(word);
        let (name, value) = word.strip_prefix("-c").unwrap_or(word).split_once('=')?;
        let name = name.replace('-', "_").to_ascii_lowercase();
        Some((name, value.to_owned()))
    });
    settings.collect()
}

/// What white space separates, unless it stands behind a backslash.
fn words(options: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = options.chars();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            words.push(String::new());
            continue;
        }
        let escaped = (letter == '\\').then(|| letters.next()).flatten();
        if let Some(word) = words.last_mut() {
            word.push(escaped.unwrap_or(letter));
        }
    }
    words
}

/// Parts of the driver's messages, and what to do about each. None of it gives up a check.
const REMEDIES: [(&str, &str); 7] = [
    (
        "UnknownIssuer",
        "nobody whom this machine trusts has signed the server's certificate: name the file with the \
         certificate of who has signed it by `sslrootcert=<file>` in the URL",
    ),
    (
        "CaUsedAsEndEntity",
        "the server's certificate is that of an authority: have the authority sign one for the server, \
         with `basicConstraints = CA:FALSE`",
    ),
    (
        "not valid for name",
        "connect by a name that the certificate has, or have a certificate made that has this one; where \
         it is enough that a known authority has signed it, say `sslmode=verify-ca`",
    ),
    (
        "certificate expired",
        "renew the server's certificate, and have the server read it by `SELECT pg_reload_conf()`",
    ),
    (
        "certificate not valid yet",
        "set the clock of this machine, or that of the one where the certificate was made",
    ),
    (
        "server does not support TLS",
        "give the server a certificate, and set `ssl = on` there",
    ),
    (
        "SSLRequest: 0x00",
        "what listens there closed the connection: a proxy without a server behind it, or a server that \
         starts or stops",
    ),
];

const NO_FILE: &str = "there is no socket of a server, or a file that the URL names is missing: \
    `sslrootcert`, `sslcert` or `sslkey`";

/// The error of a driver, with what to do about it.
pub(super) fn with_remedy(error: &sqlx::Error) -> String {
    let text = error.to_string();
    let known = REMEDIES.iter().find(|(part, _)| text.contains(part));
    let is_no_file =
        matches!(error, sqlx::Error::Io(io) if io.kind() == std::io::ErrorKind::NotFound);
    let remedy = known.map(|(_, remedy)| *remedy);
    match remedy.or(is_no_file.then_some(NO_FILE)) {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{address, client_timeout, said, server};
    use crate::Database;

    #[test]
    fn the_settings_of_a_command_line_are_found_however_they_are_written() {
        let expected = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            said(r"-c search_path=a,b -cLock_Timeout=9  --statement-timeout=1\ min -c"),
            [
                expected("search_path", "a,b"),
                expected("lock_timeout", "9"),
                expected("statement_timeout", "1 min"),
            ]
        );
        assert_eq!(said(""), []);
    }

    fn sent(url: &str) -> String {
        let (server, _) = server(url, &Database::options()).unwrap();
        server.get_options().unwrap().to_owned()
    }

    #[test]
    fn what_the_url_says_of_a_setting_wins() {
        assert_eq!(
            sent("postgres://ann@host/shop"),
            "-c statement_timeout=5000 -c lock_timeout=3000"
        );
        for said in ["-c%20statement_timeout%3D1min", "--statement-timeout%3D7"] {
            let url = format!("postgres://host/shop?options={said}");
            assert!(!sent(&url).contains("statement_timeout=5000"), "{url}");
            assert!(sent(&url).ends_with(" -c lock_timeout=3000"), "{url}");
        }
    }

    #[test]
    fn other_settings_of_the_url_stand_beside_ours() {
        let sent =
            sent("postgres://host/shop?options=-c%20search_path%3Dx%20-cdeadlock_timeout%3D9");
        assert_eq!(
            sent,
            "-c search_path=x -cdeadlock_timeout=9 -c statement_timeout=5000 -c lock_timeout=3000"
        );
    }

    #[test]
    fn an_address_tells_no_secret() {
        let options = Database::options();
        let (remote, _) = server("postgres://ann:secret@host:5433/shop", &options).unwrap();
        assert_eq!(address(&remote), "host:5433");
        let (local, _) = server("postgres:///shop?host=/run/postgresql", &options).unwrap();
        assert_eq!(address(&local), "/run/postgresql:5432");
    }

    #[test]
    fn the_server_is_given_a_second_to_tell_that_it_gave_up() {
        assert_eq!(client_timeout(Duration::ZERO), None);
        let client_timeout = client_timeout(Duration::from_secs(5));
        assert_eq!(client_timeout, Some(Duration::from_secs(6)));
    }
}

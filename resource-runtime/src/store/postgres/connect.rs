//! Connecting to a PostgreSQL server: address, session settings, and errors that name their fix.

use std::sync::Arc;
use std::time::Duration;

use resource_model::error::{Error, ErrorKind};
use sqlx::postgres::PgConnectOptions;
use tokio::time::{Instant, timeout_at};

use super::connection_pool::ConnectionPool;
use super::failure::{cause, database, is_transient};
use super::hosts::{Hosts, address};
use super::last_fault::LastFault;
use super::limits::TransactionLimits;
use super::lists::Totals;
use super::pipeline::{self, Pipelines};
use super::remedy::of_refusal;
use super::session::{self, SessionSettings, warn_of_missing_limits};
use super::statement_timeout::{StatementTimeout, timeout_error};
use super::{DatabaseOptions, PostgresDatabase};

impl PostgresDatabase {
    /// Checks the server, its settings and any pooler before it, on connections of its own; the pool connects lazily
    /// later.
    pub(in crate::store) async fn open(
        url: &str,
        options: &DatabaseOptions,
    ) -> Result<Self, Error> {
        // All steps together take no longer than a request may wait for a connection.
        let deadline = Instant::now() + options.acquire_timeout;
        let last_fault = Arc::default();
        let (hosts, settings) = hosts(url, options, &last_fault)?;
        let unreachable = |error| connect_error(&hosts, error);
        let mut first = hosts.connect(deadline).await.map_err(unreachable)?;
        let server = hosts.current();
        let address = &address(&server);
        // The probe comes first: both of its connections then give their first statement the same name.
        let loses_statements =
            session::loses_prepared_statements(&mut first, &server, deadline).await;
        if loses_statements.map_err(unreachable)? {
            return Err(transaction_pooler_error(address));
        }
        // The settings are read back, since a pooler may accept the connection and drop what it asked for.
        let session = timeout_at(deadline, SessionSettings::read(&mut first, &settings)).await;
        let session = session.unwrap_or_else(|_| Err(timeout_error(options.acquire_timeout)));
        let session = session.map_err(unreachable)?;
        // A wrong encoding or schema would spoil data, which is an error; a missing limit is only
        // a warning.
        session.require_fit(address)?;
        session.warn_of_long_waits(&settings, options.acquire_timeout);
        let missing = session.missing_limits(&settings);
        warn_of_missing_limits(&missing, address);
        // A limit that the session lacks is set by each transaction instead.
        let mut limit = missing.iter();
        let limit = limit.find(|(name, _)| *name == "statement_timeout");
        let limit = limit.map_or(session.statement_timeout, |(_, limit)| *limit);
        let timeout = StatementTimeout {
            last_fault,
            limit: client_timeout(limit),
        };
        let limits = TransactionLimits::of(&missing);
        let pipelines = pipeline::count(options.connections, &limits);
        let connections = options.connections.saturating_sub(pipelines);
        let connection_pool = ConnectionPool::new(hosts, connections, options, &timeout);
        let totals = Arc::new(Totals::new(timeout.last_fault.clone()));
        Ok(Self {
            flights: Arc::default(),
            pipelines: Arc::new(Pipelines::new(pipelines, &connection_pool, &totals)),
            totals,
            connection_pool,
            timeout,
            limits,
            acquire_timeout: options.acquire_timeout,
        })
    }
}

/// The public error of a failed connection, with its fix where that is known.
fn connect_error(hosts: &Hosts, error: sqlx::Error) -> Error {
    let address = hosts.addresses();
    let cause = cause(&error);
    // Asked before the class of the error, which would blame the network.
    if session::refuses_options(&error) {
        return Error::configuration(format!(
            "the connection pooler at `{address}` refuses the settings of our sessions: {cause}; \
             set `ignore_startup_parameters = options` there, or connect to the server itself"
        ));
    }
    let kind = if is_transient(&error) {
        ErrorKind::Unavailable
    } else {
        ErrorKind::Configuration
    };
    let remedy = database(&error).and_then(|it| of_refusal(it.code(), &hosts.current()));
    let remedy = remedy.map(|it| format!("; {it}")).unwrap_or_default();
    let problem = format!("cannot connect to PostgreSQL at `{address}`: {cause}{remedy}");
    Error::of_kind(kind, problem).with_source(error)
}

/// The error of a pooler in transaction mode that loses prepared statements.
fn transaction_pooler_error(address: &str) -> Error {
    Error::configuration(format!(
        "the connection pooler at `{address}` hands out another server connection for each \
         transaction and loses prepared statements on the way; set `pool_mode = session` there, \
         or `max_prepared_statements` (PgBouncer 1.21 or newer), or connect to the server itself"
    ))
}

/// Statements that each connection keeps prepared.
pub(super) const PREPARED_STATEMENTS: usize = 256;

/// Settings without which the server reads our literals, or prints the names of its catalogue, in another way.
const PINNED: [(&str, &str); 2] = [
    ("standard_conforming_strings", "on"),
    ("quote_all_identifiers", "off"),
];

/// The hosts of `url`, and the settings that their sessions should have.
fn hosts(
    url: &str,
    options: &DatabaseOptions,
    last_fault: &Arc<LastFault>,
) -> Result<(Hosts, Settings), Error> {
    let mut settings = Settings::default();
    let complete = |server: PgConnectOptions| {
        settings = Settings::of(server.get_options().unwrap_or_default(), options);
        // Without a unit, the server takes both limits as milliseconds.
        let limits = settings.limits.iter();
        let milliseconds = limits.map(|(name, limit)| (*name, limit.as_millis()));
        server
            .statement_cache_capacity(PREPARED_STATEMENTS)
            // The setting affects only numbers sent as text, which we never use, and poolers refuse it.
            .extra_float_digits(None)
            .options(milliseconds.collect::<Vec<_>>())
            .options(PINNED)
    };
    let hosts = Hosts::of(url, last_fault, complete)?;
    Ok((hosts, settings))
}

/// The client's statement timeout where the server cancels after `limit`: one second more, so that
/// the server's error arrives first. Zero is no limit, as it is for the server.
fn client_timeout(limit: Duration) -> Option<Duration> {
    (!limit.is_zero()).then(|| limit + Duration::from_secs(1))
}

/// The settings that a session is to begin with.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Settings in the `options` of the URL.
    pub(super) from_url: Vec<(String, String)>,
    /// Our own limits, without those that the URL sets; zero is no limit.
    pub(super) limits: Vec<(&'static str, Duration)>,
}

impl Settings {
    /// The settings of sessions whose URL has these `options`.
    fn of(url: &str, options: &DatabaseOptions) -> Self {
        let from_url = settings_of(url);
        let ours = [
            ("statement_timeout", options.statement_timeout),
            ("lock_timeout", options.acquire_timeout),
        ];
        // The server applies the last of two values, so ours would override the one of the URL.
        let url_sets = |name: &str| from_url.iter().any(|(it, _)| it == name);
        let limits = ours.into_iter().filter(|(name, _)| !url_sets(name));
        Self {
            limits: limits.collect(),
            from_url,
        }
    }
}

/// The settings in the command line of a server: `-c name=…`, `-cname=…` or `--name=…`.
fn settings_of(options: &str) -> Vec<(String, String)> {
    let words = split_words(options);
    let settings = words.iter().filter_map(|word| {
        // `-c` and its setting may be two words: the first has no `=`, the second is parsed like a setting.
        let word = word.strip_prefix("--").unwrap_or(word);
        let (name, value) = word.strip_prefix("-c").unwrap_or(word).split_once('=')?;
        // The server reads names so: `--lock-timeout` is `lock_timeout`, and case does not matter.
        let name = name.replace('-', "_").to_ascii_lowercase();
        Some((name, value.to_owned()))
    });
    settings.collect()
}

/// Splits at white space that no backslash escapes, as the server splits `options`.
fn split_words(options: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = options.chars();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            // White space in a row makes empty words, which are no settings.
            words.push(String::new());
            continue;
        }
        // A backslash at the end escapes nothing and stands for itself.
        let escaped = (letter == '\\').then(|| letters.next()).flatten();
        if let Some(word) = words.last_mut() {
            word.push(escaped.unwrap_or(letter));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{client_timeout, hosts, settings_of};
    use crate::Database;

    #[test]
    fn every_spelling_of_a_command_line_setting_is_parsed() {
        let expected = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            settings_of(r"-c search_path=a,b -cLock_Timeout=9  --statement-timeout=1\ min -c"),
            [
                expected("search_path", "a,b"),
                expected("lock_timeout", "9"),
                expected("statement_timeout", "1 min"),
            ]
        );
        assert_eq!(settings_of(""), []);
    }

    /// The `options` that are sent to the server.
    fn sent(url: &str) -> String {
        let (hosts, _) = hosts(url, &Database::options(), &Arc::default()).unwrap();
        hosts.current().get_options().unwrap().to_owned()
    }

    const PINNED: &str = " -c standard_conforming_strings=on -c quote_all_identifiers=off";

    #[test]
    fn settings_of_the_url_override_ours() {
        assert_eq!(
            sent("postgres://ann@host/shop"),
            format!("-c statement_timeout=5000 -c lock_timeout=3000{PINNED}")
        );
        for options in ["-c%20statement_timeout%3D1min", "--statement-timeout%3D7"] {
            let url = format!("postgres://host/shop?options={options}");
            assert!(!sent(&url).contains("statement_timeout=5000"), "{url}");
            assert!(
                sent(&url).ends_with(&format!(" -c lock_timeout=3000{PINNED}")),
                "{url}"
            );
        }
    }

    #[test]
    fn other_settings_of_the_url_are_sent_with_ours() {
        let sent =
            sent("postgres://host/shop?options=-c%20search_path%3Dx%20-cdeadlock_timeout%3D9");
        assert_eq!(
            sent,
            format!(
                "-c search_path=x -cdeadlock_timeout=9 -c statement_timeout=5000 -c lock_timeout=3000{PINNED}"
            )
        );
    }

    #[test]
    fn client_waits_a_second_longer_than_the_server() {
        assert_eq!(client_timeout(Duration::ZERO), None);
        let client_timeout = client_timeout(Duration::from_secs(5));
        assert_eq!(client_timeout, Some(Duration::from_secs(6)));
    }
}

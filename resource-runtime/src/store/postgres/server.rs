//! Where the server is, and the settings that its sessions begin with.

use std::str::FromStr as _;
use std::time::Duration;

use resource_model::error::Error;
use sqlx::postgres::PgConnectOptions;

use super::DatabaseOptions;
use super::connect::Settings;

/// Statements that each connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// How to connect to the server at `url`, and what its sessions are told.
pub(super) fn server(
    url: &str,
    options: &DatabaseOptions,
) -> Result<(PgConnectOptions, Settings), Error> {
    let server = PgConnectOptions::from_str(url).map_err(|error| {
        Error::configuration(format!("the URL of the PostgreSQL server is none: {error}"))
            .with_source(error)
    })?;
    let settings = Settings::of(&server, options);
    let limits = settings.limits.iter();
    let limits = limits.map(|(name, limit)| (*name, limit.as_millis()));
    let server = server
        .statement_cache_capacity(PREPARED_STATEMENTS)
        // Only numbers that travel as text would be different, and poolers refuse to be told.
        .extra_float_digits(None)
        .options(limits.collect::<Vec<_>>());
    Ok((server, settings))
}

/// Where the server is, for people: its address alone, never who connects and how.
pub(super) fn address(server: &PgConnectOptions) -> String {
    let (host, port) = (server.get_host(), server.get_port());
    match server.get_socket() {
        Some(socket) => format!("{}:{port}", socket.display()),
        None => format!("{host}:{port}"),
    }
}

/// How long the server may be silent where it gives up a statement after `limit`: a second more,
/// so that it is heard where it does. Zero is no limit, as it is for the server.
pub(super) fn patience(limit: Duration) -> Option<Duration> {
    (!limit.is_zero()).then(|| limit + Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{address, patience, server};
    use crate::Database;

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
        assert_eq!(patience(Duration::ZERO), None);
        let patience = patience(Duration::from_secs(5));
        assert_eq!(patience, Some(Duration::from_secs(6)));
    }
}

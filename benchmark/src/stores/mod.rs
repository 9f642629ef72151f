//! The databases of the subjects: all begin with the same rows.

mod postgres;
mod seed;
mod sqlite;

use std::process::Command;
use std::time::Duration;

use clap::ValueEnum;

use self::postgres::Server;
use self::seed::{SETTINGS, STATEMENTS};
use self::sqlite::Files;
use crate::Outcome;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    Sqlite,
    Postgres,
}

/// Rows, and copies of them.
pub(crate) enum Store {
    Sqlite(Files),
    Postgres(Box<Server>),
}

impl Backend {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// The named databases; when none is named, those that are found.
    pub(crate) fn named_or_found(named: &[Self]) -> Vec<Self> {
        if !named.is_empty() {
            return named.to_vec();
        }
        if postgres::is_there() {
            return vec![Self::Sqlite, Self::Postgres];
        }
        eprintln!("PostgreSQL is not measured; install its server, or name one in `DATABASE_URL`");
        vec![Self::Sqlite]
    }
}

impl Store {
    /// A store with this number of settings, of persons and of addresses.
    pub(crate) fn seeded(backend: Backend, rows: u64) -> Outcome<Self> {
        Self::filled(backend, rows, &STATEMENTS)
    }

    /// A store with this number of settings, and nothing else.
    pub(crate) fn of_settings(backend: Backend, rows: u64) -> Outcome<Self> {
        Self::filled(backend, rows, &[SETTINGS])
    }

    fn filled(backend: Backend, rows: u64, statements: &[&'static str]) -> Outcome<Self> {
        Ok(match backend {
            Backend::Sqlite => Self::Sqlite(Files::seeded(rows, statements)?),
            Backend::Postgres => Self::Postgres(Box::new(Server::seeded(rows, statements)?)),
        })
    }

    /// The URL of the rows themselves, of which no copy is to be made any more.
    pub(crate) fn seed(&self) -> String {
        match self {
            Self::Sqlite(files) => files.seed(),
            Self::Postgres(server) => server.seed(),
        }
    }

    /// The URL of a copy of the rows, in place of an earlier one of this name, which nobody uses any more.
    pub(crate) fn copy(&mut self, name: &str) -> Outcome<String> {
        match self {
            Self::Sqlite(files) => files.copy(name),
            Self::Postgres(server) => server.copy(name),
        }
    }

    /// A command of pgbench, with the copy of the rows of this name; none without a server of ours, or without pgbench.
    pub(crate) fn pgbench(&self, name: &str) -> Option<Command> {
        match self {
            Self::Postgres(server) if server.is_our_own() => server.pgbench(name),
            _ => None,
        }
    }

    /// Tells that nobody else uses the server, if there is one.
    pub(crate) const fn is_our_own(&self) -> bool {
        match self {
            Self::Sqlite(_) => true,
            Self::Postgres(server) => server.is_our_own(),
        }
    }

    /// CPU time of the server, where there is one that can be watched.
    pub(crate) fn cpu(&self) -> Outcome<Option<Duration>> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(server) => server.cpu(),
        }
    }
}

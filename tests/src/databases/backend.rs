//! The kinds of databases that tests run on, and the macro that runs a test on each.

use std::cell::Cell;

use super::server;
use crate::{recording, watch};

/// The databases that a service can be tested on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file of SQLite.
    Sqlite,
    /// A schema on a PostgreSQL server.
    Postgres,
}

// The test runner gives each test a thread of its own.
thread_local! {
    static UNDER_TEST: Cell<Backend> = const { Cell::new(Backend::Sqlite) };
}

impl Backend {
    /// The database that the running test is for.
    #[must_use]
    pub fn under_test() -> Self {
        UNDER_TEST.get()
    }

    /// Runs a test on this database, and compares the responses to its client with those of the same test on
    /// the other one.
    ///
    /// A test that cannot be run, because there is no PostgreSQL, passes.
    pub fn run(self, name: &'static str, test: fn()) {
        if self == Self::Postgres && server::url().is_none() {
            return;
        }
        watch::listen();
        UNDER_TEST.set(self);
        recording::start();
        test();
        recording::compare(name, self);
    }
}

/// Turns a test into two: `name::on_sqlite` and `name::on_postgres`.
///
/// ```
/// use resource_tests::{apply, every_database};
///
/// # fn main() {}
/// #[apply(every_database)]
/// fn items_survive() {
///     let service = resource_tests::address_book();
///     service.read("/api/1.0/settings");
/// }
/// ```
#[macro_export]
macro_rules! every_database {
    ($(#[$attribute:meta])* fn $name:ident() $body:block) => {
        $(#[$attribute])*
        fn $name() $body

        mod $name {
            #[test]
            fn on_sqlite() {
                $crate::Backend::Sqlite.run(module_path!(), super::$name);
            }

            #[test]
            fn on_postgres() {
                $crate::Backend::Postgres.run(module_path!(), super::$name);
            }
        }
    };
}

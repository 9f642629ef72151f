//! Lists that are longer than 64 KiB, which are sent while they are read.

mod exports;
mod interrupted;
mod memory_bounds;
mod responses;
mod shutdown;

use std::time::Duration;

use resource_runtime::{Api, Database, DatabaseOptions, Error};
use resource_tests::models::SettingOne;
use resource_tests::polling::PATIENCE;
use resource_tests::{Backend, Service, TestDatabase};

const SETTINGS: &str = "/api/1.0/settings";

fn settings(database: Database) -> Result<Api, Error> {
    Api::builder().resource::<SettingOne>().build(database)
}

/// A database with `count` settings, each with a value of `length` bytes.
fn with_settings(count: usize, length: usize) -> TestDatabase {
    let database = TestDatabase::default();
    drop(Service::start_on(&database, settings));
    let value = match Backend::under_test() {
        Backend::Sqlite => format!("replace(hex(zeroblob({length} / 2)), '0', 'v')"),
        Backend::Postgres => format!("repeat('v', {length})"),
    };
    database.other_program().execute(&format!(
        "INSERT INTO settings (name, value)
         WITH RECURSIVE numbers(number) AS
             (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {count})
         SELECT number, {value} FROM numbers"
    ));
    database
}

/// Options for a single reader (SQLite) or connection (PostgreSQL): a request that holds it blocks all others.
fn single_connection() -> DatabaseOptions {
    Database::options()
        .readers(1)
        .connections(1)
        .acquire_timeout(PATIENCE)
        .statement_timeout(PATIENCE)
}

/// Makes reading block at the setting `id`: those before it are read at once, then the statement runs until
/// it is cancelled.
fn block_reading_at(id: u32, database: &TestDatabase) {
    let (function, endless) = match Backend::under_test() {
        Backend::Sqlite => (
            "",
            "(WITH RECURSIVE numbers(number) AS
             (SELECT stored.id UNION ALL SELECT number + 1 FROM numbers)
             SELECT count(*) FROM numbers)",
        ),
        // A stable function is not called before its row is reached.
        Backend::Postgres => (
            "CREATE FUNCTION endless() RETURNS text STABLE LANGUAGE plpgsql
             AS 'BEGIN PERFORM pg_sleep(3600); RETURN NULL; END';",
            "endless()",
        ),
    };
    database.other_program().execute(&format!(
        "{function}
         ALTER TABLE settings RENAME TO stored;
         CREATE VIEW settings AS SELECT id, name,
             CASE WHEN id = {id} THEN {endless} ELSE value END AS value FROM stored"
    ));
}

/// Statement timeout of tests that expect a blocked statement to be cancelled.
const SHORT: Duration = Duration::from_secs(1);

//! Lists that are longer than 64 KiB, which are sent while they are read.

mod interrupted;
mod memory_bounds;
mod responses;
mod shutdown;

use std::time::Duration;

use resource_runtime::{Api, Database, DatabaseOptions, Error};
use resource_tests::models::SettingOne;
use resource_tests::patience::PATIENCE;
use resource_tests::{Backend, Service, TestDatabase};

const SETTINGS: &str = "/api/1.0/settings";

fn settings(database: Database) -> Result<Api, Error> {
    Api::builder().resource::<SettingOne>().build(database)
}

/// So many settings, each with a value of so many bytes.
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

/// Options for a single reader, or a single connection: a request that keeps it makes all others wait for
/// it.
fn one_at_a_time() -> DatabaseOptions {
    Database::options()
        .readers(1)
        .connections(1)
        .acquire_timeout(PATIENCE)
        .statement_timeout(PATIENCE)
}

/// The settings before `id` are read at once, and it never is: the statement is at it until it is
/// ended.
fn never_reads(id: u32, database: &TestDatabase) {
    let (function, endless) = match Backend::under_test() {
        Backend::Sqlite => (
            "",
            "(WITH RECURSIVE numbers(number) AS
             (SELECT stored.id UNION ALL SELECT number + 1 FROM numbers)
             SELECT count(*) FROM numbers)",
        ),
        // What is said to be stable is not called before its row is reached.
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

/// The time limit of a statement that never comes to its end, in tests in which it is to be ended.
const SHORT: Duration = Duration::from_secs(1);

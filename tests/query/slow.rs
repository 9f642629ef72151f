//! A read that takes too long is given up, and what comes after it is not.

use std::time::Duration;

use resource_runtime::{Api, Database, Error};
use resource_tests::models::SettingOne;
use resource_tests::{Backend, Service, TestDatabase, apply, assert_error, every_database};

use crate::asking::url;

const SETTINGS: &str = "/api/1.0/settings";

/// How long a read may take: far more than a page needs, and far less than the filter does.
const PATIENCE: Duration = Duration::from_millis(1500);

fn settings(database: Database) -> Result<Api, Error> {
    Api::builder().resource::<SettingOne>().build(database)
}

/// Long texts, served by one reader or on one connection, which has to be free again.
fn long_texts() -> Service {
    let database = TestDatabase::default();
    drop(Service::start_on(&database, settings));
    database
        .other_program()
        .execute(match Backend::under_test() {
            Backend::Sqlite => {
                "WITH RECURSIVE numbers(number) AS
                 (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 12_000)
             INSERT INTO settings (name, value)
                 SELECT number, replace(hex(zeroblob(2000)), '0', 'ab') FROM numbers"
            }
            Backend::Postgres => {
                "INSERT INTO settings (name, value)
                 SELECT number, repeat('ab', 4000) FROM generate_series(1, 12000) AS number"
            }
        });
    let options = Database::options()
        .acquire_timeout(PATIENCE)
        .statement_timeout(PATIENCE);
    Service::start_with(&database, options.readers(1).connections(1), settings)
}

/// As many patterns as a filter may hold, none of which any text matches.
fn dear_filter() -> String {
    let calls: Vec<String> = (100..400)
        .map(|number| format!(r#"like(value,"%a%b%{number}%")"#))
        .collect();
    format!("or({})", calls.join(","))
}

#[apply(every_database)]
fn a_read_that_takes_too_long_is_503_10090_and_frees_its_reader() {
    let service = long_texts();
    let filter = dear_filter();
    assert!(filter.len() <= 8 * 1024, "{} bytes", filter.len());
    for limit in ["10", "0"] {
        let answer = service.get(&url(SETTINGS, &[("filter", &filter), ("limit", limit)]));
        assert_error(&answer, 503, 10090);
        let retry_after = answer.header("retry-after").expect("a Retry-After");
        let seconds: u32 = retry_after.parse().expect("seconds");
        assert!(seconds > 0);
        assert_eq!(service.read(SETTINGS)["totalItems"], 12_000);
        assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
    }
}

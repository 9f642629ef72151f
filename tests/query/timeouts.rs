//! Timeouts of reads: a slow read ends, and its reader serves the next request.

use std::time::Duration;

use resource_runtime::{Api, Database, DatabaseOptions, Error};
use resource_tests::models::{ReadSetting, SettingOne};
use resource_tests::polling::wait_for;
use resource_tests::{
    Backend, Service, TestDatabase, apply, assert_error, every_database, responses_differ,
};
use serde_json::json;

use crate::requests::url;

const SETTINGS: &str = "/api/1.0/settings";

/// The time limit of a read: far more than a page needs, and far less than the filter does.
const PATIENCE: Duration = Duration::from_millis(1500);

fn settings(database: Database) -> Result<Api, Error> {
    Api::builder().resource::<SettingOne>().build(database)
}

/// A database with long texts.
fn long_texts() -> TestDatabase {
    long_texts_on(TestDatabase::default())
}

fn long_texts_on(database: TestDatabase) -> TestDatabase {
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
    database
}

fn one_reader() -> DatabaseOptions {
    Database::options().readers(1).connections(1)
}

/// A filter with as many patterns as allowed, none of which matches.
fn slow_filter() -> String {
    let calls: Vec<String> = (100..400)
        .map(|number| format!(r#"like(value,"%a%b%{number}%")"#))
        .collect();
    format!("or({})", calls.join(","))
}

#[apply(every_database)]
fn slow_read_is_503_10090_and_frees_its_reader() {
    let options = one_reader().acquire_timeout(PATIENCE);
    let options = options.statement_timeout(PATIENCE);
    let service = Service::start_with(&long_texts(), options, settings);
    let filter = slow_filter();
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

/// Lists never take all readers of SQLite. A read-only API is ready if it can be read.
#[test]
fn reads_by_key_and_readiness_do_not_wait_for_lists() {
    let options = one_reader().acquire_timeout(PATIENCE);
    let database = long_texts_on(TestDatabase::sqlite());
    let service = Service::start_with(&database, options, |database| {
        Api::builder().resource::<ReadSetting>().build(database)
    });
    let list = url(SETTINGS, &[("filter", &slow_filter())]);
    std::thread::scope(|scope| {
        let lists: Vec<_> = (0..8).map(|_| scope.spawn(|| service.get(&list))).collect();
        let mut answered = 0;
        while !lists.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            assert_eq!(service.get(&format!("{SETTINGS}/7")).status, 200);
            assert_eq!(service.get("/readyz").status, 200);
            answered += 1;
        }
        // Behind the lists, only one request per list would have been answered.
        assert!(answered > 2 * lists.len(), "{answered}");
        for list in lists {
            assert_error(&list.join().unwrap(), 503, 10090);
        }
    });
}

#[apply(every_database)]
fn request_timeout_is_503_10090_and_frees_the_reader() {
    let service = Service::start_with(&long_texts(), one_reader(), |database| {
        let builder = Api::builder().timeout(PATIENCE);
        builder.resource::<SettingOne>().build(database)
    });
    let answer = service.get(&url(SETTINGS, &[("filter", &slow_filter())]));
    let told = "the request took too long; try again later";
    assert_error(&answer, 503, 10090).naming(&[told]);
    assert_eq!(answer.header("retry-after"), Some("1"));
    // PostgreSQL ends the statement at its own timeout, and the connection is free then.
    responses_differ("the number of requests depends on the database");
    wait_for("a free reader", || {
        let answer = service.get(&format!("{SETTINGS}/7"));
        (answer.status == 200).then_some(())
    });
}

#[apply(every_database)]
fn longest_timeouts_are_accepted() {
    let options = one_reader().acquire_timeout(Duration::MAX);
    let options = options.statement_timeout(Duration::MAX);
    let options = options
        .idle_timeout(Duration::MAX)
        .max_lifetime(Duration::MAX);
    let service = Service::start_with(&TestDatabase::default(), options, settings);
    let path = service.create(SETTINGS, &json!({"name": "colour", "value": "red"}));
    assert_eq!(service.read(&path)["name"], "colour");
    // Read on a thread of SQLite, which has a deadline.
    let filter = slow_filter();
    let list = service.read(&url(SETTINGS, &[("filter", &filter)]));
    assert_eq!(list["totalItems"], 0);
}

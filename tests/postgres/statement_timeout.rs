//! Statements that take too long: they end on the server when their requests do.

use std::time::{Duration, Instant};

use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::patience::wait_for;
use resource_tests::{Cluster, Service, TestDatabase, assert_error};

/// The time limit of a statement: far less than the filters take.
const LIMIT: Duration = Duration::from_secs(1);

/// The time in which an interrupted server must come to rest, on a machine that is busy.
const SOON: Duration = Duration::from_secs(5);

/// Of texts of a megabyte, one alone keeps a search busy for long that begins anew at each place.
const LONG_TEXTS: &str = "INSERT INTO settings (name, value) \
     SELECT number, repeat('a', 1000000) FROM generate_series(1, 100) AS number";

/// The sessions of the service that carry out anything.
const AT_WORK: &str = "SELECT count(*)::text FROM pg_stat_activity \
     WHERE application_name = 'settings' AND state <> 'idle' AND pid <> pg_backend_pid()";

#[test]
fn a_pattern_that_takes_too_long_is_503_10090_and_ends_on_the_server() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let database = TestDatabase::schema(&cluster.url());
    let named = database
        .clone()
        .with_options("%20-c%20application_name%3Dsettings");
    let options = Database::options().statement_timeout(LIMIT);
    let service = Service::start_with(&named, options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let mut other = database.other_program();
    other.execute(LONG_TEXTS);
    let repeated = format!("like(value,%22%25{}b%25%22)", "a".repeat(7_900));
    let several: Vec<_> = (0..7)
        .map(|it| format!("ilike(value,%22%25{}B{it}%25%22)", "A".repeat(1_000)))
        .collect();
    for filter in [repeated, format!("or({})", several.join(","))] {
        let answer = service.get(&format!("/api/1.0/settings?filter={filter}"));
        assert_error(&answer, 503, 10090);
        // The server tells of the end before it is at rest; the defect would keep it for half a minute.
        let told = Instant::now();
        wait_for("a server at rest", || {
            (other.text(AT_WORK) == "0").then_some(())
        });
        assert!(told.elapsed() < SOON, "{:?}", told.elapsed());
    }
}

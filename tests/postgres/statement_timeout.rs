//! Statements beyond their timeout: they end on the server together with their request.

use std::time::{Duration, Instant};

use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::polling::wait_for;
use resource_tests::{Cluster, Service, TestDatabase, assert_error};

/// The time limit of a statement: far less than the filters take.
const LIMIT: Duration = Duration::from_secs(1);

/// The time within which a cancelled statement must end on a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// Texts of a megabyte: a search that restarts at each position takes long for a single one.
const LONG_TEXTS: &str = "INSERT INTO settings (name, value) \
     SELECT number, repeat('a', 1000000) FROM generate_series(1, 100) AS number";

/// Number of busy sessions of the service.
const AT_WORK: &str = "SELECT count(*)::text FROM pg_stat_activity \
     WHERE application_name = 'settings' AND state <> 'idle' AND pid <> pg_backend_pid()";

#[test]
fn slow_pattern_is_503_10090_and_ends_on_the_server() {
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
        // The error arrives before the statement has ended; without a cancellation that would take half a minute.
        let told = Instant::now();
        wait_for("a server at rest", || {
            (other.text(AT_WORK) == "0").then_some(())
        });
        assert!(told.elapsed() < SOON, "{:?}", told.elapsed());
    }
}

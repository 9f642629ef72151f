//! Streamed lists whose server terminates the session.

use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{Cluster, Service, StreamedResponse, TestDatabase, watch};

const SETTINGS: &str = "/api/1.0/settings";

/// Many settings, of which number 200 waits for an advisory lock when it is read.
const WAITS_IN_THE_MIDST: &str = "
    INSERT INTO settings (name, value) SELECT number, repeat('v', 1000) FROM generate_series(1, 300) AS number;
    CREATE SEQUENCE runs;
    CREATE FUNCTION awaited() RETURNS text STABLE LANGUAGE plpgsql
        AS 'BEGIN PERFORM nextval(''runs''); PERFORM pg_advisory_xact_lock_shared(1); RETURN 1; END';
    ALTER TABLE settings RENAME TO stored;
    CREATE VIEW settings AS SELECT id, name,
        CASE WHEN id = 200 THEN awaited() ELSE value END AS value FROM stored";

/// Terminates the sessions that wait for the lock, and returns their number.
const END: &str = "
    SELECT count(pg_terminate_backend(pid))::text FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted";

#[test]
fn begun_response_is_cut_off_and_not_retried() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let database = TestDatabase::schema(&cluster.url());
    let options = Database::options().statement_timeout(PATIENCE);
    let service = Service::start_with(&database, options.connections(1), |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let mut other = database.other_program();
    other.execute(WAITS_IN_THE_MIDST);
    other.execute("SELECT pg_advisory_lock(1)");
    let path = format!("{SETTINGS}?limit=300");
    let log = watch::keep();
    let cut = StreamedResponse::ask(service.address(), &path);
    assert!(cut.head.starts_with("HTTP/1.1 200 "), "{}", cut.head);
    wait_for("a session that waits", || {
        (other.text(END) == "1").then_some(())
    });
    other.execute("SELECT pg_advisory_unlock(1)");
    let (body, is_whole) = cut.rest();
    assert!(!is_whole);
    assert!(body.len() < 300 * 1000, "{}", body.len());
    let cause = wait_for("the cause in the log", || {
        let text = log.text();
        let mut errors = text.lines().filter(|line| line.starts_with("ERROR"));
        let cause = errors.find(|line| line.contains("a list was cut off"));
        cause.map(str::to_owned)
    });
    assert!(cause.contains("terminating connection"), "{cause}");
    assert_eq!(log.text().matches("a list was cut off").count(), 1);
    assert_eq!(other.text("SELECT last_value::text FROM runs"), "1");
    let page = service.read(&path);
    assert_eq!(page["totalItems"], 300);
}

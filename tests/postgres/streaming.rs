//! Streamed lists whose server terminates the session, or is killed.

use std::process::Command;

use resource_runtime::{Api, ApiResource, Database};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{Cluster, OtherProgram, Service, StreamedResponse, TestDatabase, watch};

const SETTINGS: &str = "/api/1.0/settings";

/// The settings, which may be listed all at once.
#[derive(Debug, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", limit(all))]
struct Setting {
    id: i64,
    name: String,
    value: String,
}

/// Many settings, of which one waits for an advisory lock when it is read.
const WAITS_IN_THE_MIDST: &str = "
    INSERT INTO settings (name, value) SELECT number, repeat('v', 1000) FROM generate_series(1, $ROWS) AS number;
    CREATE SEQUENCE runs;
    CREATE FUNCTION awaited() RETURNS text STABLE LANGUAGE plpgsql
        AS 'BEGIN PERFORM nextval(''runs''); PERFORM pg_advisory_xact_lock_shared(1); RETURN 1; END';
    ALTER TABLE settings RENAME TO stored;
    CREATE VIEW settings AS SELECT id, name,
        CASE WHEN id = $MIDST THEN awaited() ELSE value END AS value FROM stored";

/// Stores so many settings, of which one waits until the returned connection unlocks it.
fn block_in_the_midst(database: &TestDatabase, rows: u32, midst: u32) -> OtherProgram {
    let mut other = database.other_program();
    let statements = WAITS_IN_THE_MIDST.replace("$ROWS", &rows.to_string());
    other.execute(&statements.replace("$MIDST", &midst.to_string()));
    other.execute("SELECT pg_advisory_lock(1)");
    other
}

/// The number of sessions that wait for the lock.
const WAITING: &str = "
    SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

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
    let mut other = block_in_the_midst(&database, 300, 200);
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
    // A list of a concurrent test is cut off by the end of its server.
    let own = [
        "ERROR",
        "a list was cut off",
        "due to administrator command",
    ];
    let causes = || {
        let text = log.text();
        let lines = text.lines();
        lines
            .filter(|line| own.iter().all(|part| line.contains(part)))
            .count()
    };
    wait_for("the cause in the log", || (causes() > 0).then_some(()));
    assert_eq!(causes(), 1);
    assert_eq!(other.text("SELECT last_value::text FROM runs"), "1");
    let page = service.read(&path);
    assert_eq!(page["totalItems"], 300);
}

/// The statuses of curl for a transfer that ended before its end, and for a connection or a stream that was reset.
const CUT_OFF: [i32; 3] = [18, 56, 92];

#[test]
fn curl_fails_when_the_server_is_killed_midway_through_an_export() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    for (format, version) in [
        ("ndjson", "--http1.1"),
        ("csv", "--http1.1"),
        ("ndjson", "--http2-prior-knowledge"),
    ] {
        let database = TestDatabase::schema(&cluster.url());
        let service = Service::start_on(&database, |database| {
            Api::builder().resource::<Setting>().build(database)
        });
        let mut other = block_in_the_midst(&database, 3000, 1500);
        let read = tempfile::NamedTempFile::new().unwrap();
        let path = format!("{SETTINGS}?limit=all&format={format}");
        let curl = Command::new("curl")
            .args(["--silent", "--show-error", "--noproxy", "*", version])
            .arg(format!("http://{}{path}", service.address()))
            .stdout(read.reopen().unwrap())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("an executable `curl`");
        wait_for("a session that waits", || {
            (other.text(WAITING) == "1").then_some(())
        });
        cluster.kill();
        let ended = curl.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        println!("{format}, {version}: {} {told}", ended.status);
        let status = ended.status.code().unwrap();
        assert!(CUT_OFF.contains(&status), "{status} {told}");
        let lines = std::fs::read_to_string(read.path()).unwrap();
        let lines = lines.lines().count();
        assert!((900..1500).contains(&lines), "{lines} lines of {format}");
        cluster.start_again();
        wait_for("the whole list", || {
            let whole = StreamedResponse::ask(service.address(), &path);
            let is_ok = whole.head.starts_with("HTTP/1.1 200 ");
            (is_ok && whole.rest().1).then_some(())
        });
    }
}

//! Totals are exact, and lists that wait for the same count are read in one batch.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use resource_runtime::{Api, Database, DatabaseOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{Client, Cluster, OtherProgram, Service, TestDatabase, block_on, raw};
use serde_json::Value;

pub(super) const SETTINGS: &str = "/api/1.0/settings";

/// Makes the server log the plan of each statement.
pub(super) const AUTO_EXPLAIN: &str = "%20-c%20session_preload_libraries%3Dauto_explain\
    %20-c%20auto_explain.log_min_duration%3D0%20-c%20auto_explain.log_analyze%3Don";

/// The application name of the service's sessions.
const SESSIONS: &str = "totals";

/// Number of lists that wait for a count.
const CROWD: usize = 12;

/// Number of counts that run at the same time.
const AT_ONCE: usize = 2;

/// A service of settings, and the number of requests that it has received.
pub(super) fn settings(
    database: &TestDatabase,
    options: DatabaseOptions,
) -> (Service, Arc<AtomicUsize>) {
    let arrived = Arc::new(AtomicUsize::new(0));
    let counter = arrived.clone();
    let count = move |request: Request, next: Next| {
        counter.fetch_add(1, Ordering::SeqCst);
        next.run(request)
    };
    let app: Router = block_on(async {
        let database = options.connect(&database.url()).await.expect("a database");
        let api = Api::builder().resource::<SettingOne>().build(database);
        let api = api.expect("an API");
        api.create_missing_tables().await.expect("its tables");
        api.router()
    });
    (Service::serve(database, app.layer(from_fn(count))), arrived)
}

pub(super) fn insert(from: u32, to: u32) -> String {
    format!(
        "INSERT INTO settings (name, value) SELECT number::text, '' \
         FROM generate_series({from}, {to}) AS number"
    )
}

/// Asserts that the number of items on a page fits its total, offset and limit; returns the total.
fn assert_is_one_snapshot(page: &Value, offset: u64, limit: u64) -> u64 {
    let total = page["totalItems"].as_u64().expect("a total");
    let items = page["items"].as_array().expect("items").len();
    let expected = total.saturating_sub(offset).min(limit);
    assert_eq!(items as u64, expected, "of {total} from {offset} on");
    total
}

#[test]
fn page_and_total_come_from_one_snapshot() {
    const READERS: usize = 8;
    const ROUNDS: usize = 60;
    const PAGES: [(u64, u64); 5] = [(0, 10), (5, 4), (10, 10), (9, 1), (0, 0)];
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let (service, _) = settings(&database, Database::options());
    let mut other = database.other_program();
    other.execute(&insert(1, 8));
    let (is_over, changed) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                other.execute(&insert(9, 12));
                other.execute("DELETE FROM settings WHERE name::integer > 8");
                changed.fetch_add(1, Ordering::Relaxed);
            }
        });
        let read = |reader: usize| {
            let client = Client::of_process(service.address());
            let mut totals = Vec::new();
            for round in 0..ROUNDS {
                let (offset, limit) = PAGES[(reader + round) % PAGES.len()];
                let page = client.read(&format!("{SETTINGS}?offset={offset}&limit={limit}"));
                totals.push(assert_is_one_snapshot(&page, offset, limit));
            }
            totals
        };
        let readers: Vec<_> = (0..READERS)
            .map(|it| scope.spawn(move || read(it)))
            .collect();
        let read = readers.into_iter().map(thread::ScopedJoinHandle::join);
        let totals: Vec<_> = read.collect();
        is_over.store(true, Ordering::Relaxed);
        for total in totals.into_iter().flat_map(|it| it.expect("it agrees")) {
            assert!([8, 12].contains(&total), "{total}");
        }
    });
    assert!(changed.into_inner() > 0, "another program wrote meanwhile");
}

/// A service whose table is locked, so that counts wait.
struct Locked {
    cluster: Cluster,
    service: Service,
    arrived: Arc<AtomicUsize>,
    holder: OtherProgram,
    other: OtherProgram,
}

impl Locked {
    fn start() -> Option<Self> {
        let cluster = Cluster::start()?;
        let settings_of_sessions =
            format!("%20-c%20application_name%3D{SESSIONS}%20-c%20log_statement%3Dall");
        let database = TestDatabase::schema(&cluster.url()).with_options(&settings_of_sessions);
        let options = Database::options()
            .acquire_timeout(PATIENCE)
            .statement_timeout(PATIENCE);
        let (service, arrived) = settings(&database, options);
        let (mut holder, mut other) = (database.other_program(), database.other_program());
        other.execute(&insert(1, 30));
        holder.execute("SET application_name = 'holder'; BEGIN; LOCK TABLE settings");
        Some(Self {
            cluster,
            service,
            arrived,
            holder,
            other,
        })
    }

    fn wait_for_waiting_sessions(&mut self, count: usize) {
        wait_for("sessions that wait for the lock", || {
            let waiting = self.other.text(&format!(
                "SELECT count(*)::text FROM pg_stat_activity \
                 WHERE application_name = '{SESSIONS}' AND wait_event_type = 'Lock'"
            ));
            (waiting.parse::<usize>().expect("a number") >= count).then_some(())
        });
    }

    fn wait_for_requests(&self, count: usize) {
        wait_for("requests", || {
            (self.arrived.load(Ordering::SeqCst) >= count).then_some(())
        });
    }

    /// Sends a request for a page, without waiting for the response.
    fn ask(&self, path: &str) -> TcpStream {
        let mut client = raw::connect(self.service.address());
        let request = format!("GET {path} HTTP/1.1\r\nHost: settings\r\nConnection: close\r\n\r\n");
        client.write_all(request.as_bytes()).expect("a request");
        client
    }

    /// Starts as many counts as may run at a time, and queues `CROWD` lists behind them.
    fn crowd(&mut self) -> (Vec<TcpStream>, Vec<(u64, TcpStream)>) {
        let path = format!("{SETTINGS}?limit=3");
        let first: Vec<_> = (0..AT_ONCE).map(|_| self.ask(&path)).collect();
        self.wait_for_waiting_sessions(AT_ONCE);
        let offsets = (0..CROWD as u64).map(|number| number / 2);
        let crowd = offsets.map(|offset| {
            let path = format!("{SETTINGS}?limit=3&offset={offset}");
            (offset, self.ask(&path))
        });
        let crowd = crowd.collect();
        self.wait_for_requests(AT_ONCE + CROWD);
        (first, crowd)
    }
}

fn assert_pages(crowd: Vec<(u64, TcpStream)>) {
    for (offset, client) in crowd {
        let answer = raw::parse(&raw::read_to_end(client));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let page = answer.json();
        assert_eq!(assert_is_one_snapshot(&page, offset, 3), 30);
        let first = (offset + 1).to_string();
        assert_eq!(page["items"][0]["name"], first.as_str());
    }
}

#[test]
fn lists_that_wait_for_a_count_share_it() {
    let Some(mut locked) = Locked::start() else {
        return;
    };
    let (first, crowd) = locked.crowd();
    locked.holder.execute("COMMIT");
    assert_pages(first.into_iter().map(|it| (0, it)).collect());
    assert_pages(crowd);
    let log = locked.cluster.log();
    let counts = log.lines().filter(|it| it.contains("SELECT COUNT(*)"));
    let counts = counts.filter(|it| it.contains("execute ")).count();
    // A list that arrived after the lock was released may have counted by itself.
    assert!((1..CROWD / 2).contains(&counts), "{counts} counts:\n{log}");
}

#[test]
fn waiting_lists_are_read_after_earlier_clients_disconnect() {
    let Some(mut locked) = Locked::start() else {
        return;
    };
    let (first, mut crowd) = locked.crowd();
    drop(first);
    // The counts of the disconnected clients still wait on the server, and those of the others start after them.
    drop(crowd.drain(..CROWD / 2));
    locked.holder.execute("COMMIT");
    assert_pages(crowd);
}

/// Number of counts in the log of the server.
pub(super) fn counts(log: &str) -> usize {
    let plans = log.split("Query Text: ").skip(1);
    let totals = plans.filter(|plan| plan.contains("COUNT(*)"));
    let counted = |plan: &&str| {
        plan.lines()
            .any(|line| line.contains("Aggregate") && line.contains("actual time"))
    };
    totals.filter(counted).count()
}

#[test]
fn total_of_an_unchanged_table_is_cached() {
    const LISTS: usize = 20;
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let database = TestDatabase::schema(&cluster.url());
    let mut other = database.other_program();
    let (service, _) = settings(&database.with_options(AUTO_EXPLAIN), Database::options());
    other.execute(&insert(1, 30));
    let path = format!("{SETTINGS}?limit=3");
    for _ in 0..LISTS {
        assert_eq!(service.read(&path)["totalItems"], 30);
    }
    // The server itself may have written meanwhile, which outdates the cached total.
    wait_for("the plans", || {
        let log = cluster.log();
        let plans = log.matches("Query Text").count();
        (plans >= LISTS).then_some(())
    });
    let log = cluster.log();
    assert!((1..LISTS).contains(&counts(&log)), "{log}");
}

#[test]
fn cached_total_is_exact() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let (service, _) = settings(&database, Database::options());
    let (mut first, mut second) = (database.other_program(), database.other_program());
    let total = || {
        let paths = [
            "?limit=3",
            "?limit=0",
            "?offset=9&limit=1",
            "?offset=90&limit=3",
        ];
        let totals =
            paths.map(|path| service.read(&format!("{SETTINGS}{path}"))["totalItems"].clone());
        assert!(totals.iter().all(|it| *it == totals[0]), "{totals:?}");
        totals[0].as_u64().expect("a total")
    };
    first.execute(&insert(1, 30));
    assert_eq!([total(), total()], [30, 30]);
    first.execute("BEGIN");
    first.execute(&insert(31, 40));
    assert_eq!(
        [total(), total()],
        [30, 30],
        "uncommitted rows are not counted"
    );
    second.execute("DELETE FROM settings WHERE name = '1'");
    assert_eq!(
        [total(), total()],
        [29, 29],
        "a later transaction ended first"
    );
    first.execute("COMMIT");
    assert_eq!([total(), total()], [39, 39]);
    first.execute("BEGIN");
    first.execute("TRUNCATE settings");
    first.execute("ROLLBACK");
    assert_eq!(total(), 39);
    first.execute("TRUNCATE settings");
    first.execute(&insert(1, 12));
    assert_eq!([total(), total()], [12, 12]);
    service.post(
        SETTINGS,
        &serde_json::json!({ "name": "of our own", "value": "" }),
    );
    assert_eq!([total(), total()], [13, 13]);
}

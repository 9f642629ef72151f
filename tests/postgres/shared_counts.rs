//! Slow counts: two of the same run at a time at most, however many clients wait or disconnect.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use resource_runtime::Database;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{Answer, Cluster, OtherProgram, Service, TestDatabase, raw};

use super::totals::{SETTINGS, insert, settings};

/// Number of counts that run at the same time.
const AT_ONCE: usize = 2;

/// Four times as many as there are connections.
const CLIENTS: usize = 40;

/// The time limit of a list: far less than its count takes.
const WAIT: Duration = Duration::from_secs(2);

/// A list whose count waits for a lock, and whose page does not.
const LIST: &str = "/api/1.0/settings?limit=3&filter=ilike(name,%22%25%22)";

/// Replaces the function `lower` of the server, since its schema comes first in the search path.
const LOWER: &str = "CREATE FUNCTION lower(name text) RETURNS text STABLE LANGUAGE plpgsql AS $$ BEGIN \
    IF name = '20' THEN PERFORM pg_advisory_xact_lock_shared(1); END IF; RETURN name; END $$";

/// Number of the sessions that count.
const COUNTING: &str =
    "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

/// A service of thirty settings, whose count waits while an advisory lock is held.
struct Counted {
    _cluster: Cluster,
    service: Service,
    arrived: Arc<AtomicUsize>,
    other: OtherProgram,
}

impl Counted {
    fn start() -> Option<Self> {
        let cluster = Cluster::start()?;
        let database = TestDatabase::schema(&cluster.url())
            .with_options(",pg_catalog%20-c%20lock_timeout%3D0");
        let options = Database::options().acquire_timeout(WAIT);
        let (service, arrived) = settings(&database, options.statement_timeout(PATIENCE));
        let mut other = database.other_program();
        other.execute(&insert(1, 30));
        other.execute(LOWER);
        Some(Self {
            _cluster: cluster,
            service,
            arrived,
            other,
        })
    }

    fn hold(&mut self) {
        self.other.execute("SELECT pg_advisory_lock(1)");
    }

    fn let_go(&mut self) {
        self.other.execute("SELECT pg_advisory_unlock(1)");
    }

    /// Sends a request for the list, without waiting for the response.
    fn ask(&self) -> TcpStream {
        let mut client = raw::connect(self.service.address());
        let request = format!("GET {LIST} HTTP/1.1\r\nHost: settings\r\nConnection: close\r\n\r\n");
        client.write_all(request.as_bytes()).expect("a request");
        client
    }

    /// Sends a request, and waits until the server counts for it.
    fn ask_and_count(&mut self, counting: usize) -> TcpStream {
        let client = self.ask();
        wait_for("a session that counts", || {
            (self.counting() == counting).then_some(())
        });
        client
    }

    fn counting(&mut self) -> usize {
        self.other.text(COUNTING).parse().expect("a number")
    }

    #[track_caller]
    fn assert_only_two_count(&mut self) {
        assert_eq!(self.counting(), AT_ONCE);
        assert_eq!(self.service.read(&format!("{SETTINGS}/7"))["name"], "7");
        assert_eq!(self.counting(), AT_ONCE, "the counts still go on");
    }
}

fn answer(client: TcpStream) -> Answer {
    raw::parse(&raw::read_to_end(client))
}

#[track_caller]
fn assert_timed_out(client: TcpStream) {
    let answer = answer(client);
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.json()["error_code"], 10090);
}

#[test]
fn timeout_of_a_shared_count_is_503_10090_while_items_are_read() {
    let Some(mut counted) = Counted::start() else {
        return;
    };
    counted.hold();
    let first: Vec<_> = (1..=AT_ONCE).map(|it| counted.ask_and_count(it)).collect();
    let others: Vec<_> = (AT_ONCE..CLIENTS).map(|_| counted.ask()).collect();
    wait_for("all requests", || {
        (counted.arrived.load(Ordering::SeqCst) >= CLIENTS).then_some(())
    });
    // The last clients have the error after all others.
    others.into_iter().rev().for_each(assert_timed_out);
    counted.assert_only_two_count();
    counted.let_go();
    for client in first {
        assert_eq!(answer(client).json()["totalItems"], 30);
    }
}

#[test]
fn counts_of_disconnected_clients_stay_limited_to_two() {
    let Some(mut counted) = Counted::start() else {
        return;
    };
    counted.hold();
    for number in 1..=AT_ONCE {
        drop(counted.ask_and_count(number));
    }
    assert_timed_out(counted.ask());
    counted.assert_only_two_count();
    counted.let_go();
    wait_for("the count", || {
        let page = answer(counted.ask());
        (page.status == 200 && page.json()["totalItems"] == 30).then_some(())
    });
}

#[test]
fn outdated_cached_total_is_recounted_by_two_at_most() {
    let Some(mut counted) = Counted::start() else {
        return;
    };
    for _ in 0..5 {
        assert_eq!(answer(counted.ask()).json()["totalItems"], 30);
    }
    counted.other.execute(&insert(31, 31));
    counted.hold();
    let clients: Vec<_> = (0..CLIENTS).map(|_| counted.ask()).collect();
    wait_for("sessions that count", || {
        (counted.counting() == AT_ONCE).then_some(())
    });
    assert_timed_out(counted.ask());
    counted.assert_only_two_count();
    counted.let_go();
    let pages = clients.into_iter().map(answer);
    let pages: Vec<_> = pages.filter(|page| page.status == 200).collect();
    assert!(pages.len() >= AT_ONCE, "{}", pages.len());
    assert!(pages.iter().all(|page| page.json()["totalItems"] == 31));
}

//! Pipelined reads by key, and of quick pages: few sessions for many clients, and none that waits for long behind another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use resource_runtime::{Api, ApiResource, Database, DatabaseOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, SetOnDrop, wait_for};
use resource_tests::{Client, Cluster, OtherProgram, Service, TestDatabase};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

#[derive(Debug, ApiResource)]
#[resource(name = "Town", url = "/towns", version = "1.0")]
struct Town {
    id: i64,
    name: String,
}

/// A service with ten connections, two of which are pipelines.
fn service(cluster: &Cluster) -> Service {
    service_with(cluster, Database::options())
}

fn service_with(cluster: &Cluster, options: DatabaseOptions) -> Service {
    let options = options.acquire_timeout(PATIENCE);
    Service::start_with(&TestDatabase::at(&cluster.url()), options, |database| {
        Api::builder()
            .resource::<SettingOne>()
            .resource::<Town>()
            .build(database)
    })
}

/// The ends of statements that read a setting by its key, a page of keys with their number, and a page alone.
const BY_KEY: &str = "\"id\" = $1";
const OF_KEYS: &str = "AS \"the.rows\"";
const PAGE: &str = "LIMIT 10)%";

/// Number of sessions that have read settings since then by a statement with such an end.
fn reading_since(other: &mut OtherProgram, since: &str, end: &str) -> usize {
    let count = other.text(&format!(
        "SELECT count(*)::text FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
         AND query LIKE '%FROM \"settings\"%{end}' AND query_start >= '{since}'"
    ));
    count.parse().expect("a number")
}

fn clients(service: &Service, number: usize) -> Vec<Client> {
    let client = |_| Client::of_process(service.address());
    (0..number).map(client).collect()
}

/// Reads the first setting by many clients at once; returns the number of sessions that read it.
fn sessions_of(other: &mut OtherProgram, clients: &[Client], path: &str, end: &str) -> usize {
    let since = other.text("SELECT clock_timestamp()::text");
    thread::scope(|scope| {
        for client in clients {
            scope.spawn(|| {
                for _ in 0..50 {
                    let read = client.read(path);
                    let item = read.pointer("/items/0").unwrap_or(&read);
                    assert_eq!(item["value"], "x");
                }
            });
        }
    });
    reading_since(other, &since, end)
}

/// Reads the first setting by many clients, until all of them share a session, and once more behind the end of that one.
fn read_on_one_session(cluster: &Cluster, service: &Service, path: &str, end: &str) {
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    let clients = clients(service, 16);
    // Until the pipeline is open, reads use other sessions.
    let mut read_by_all = || (sessions_of(&mut other, &clients, path, end) == 1).then_some(());
    wait_for("a pipeline", &mut read_by_all);
    TestDatabase::at(&cluster.url()).other_program().execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND query LIKE '%the.item%'",
    );
    wait_for("a pipeline in place of it", &mut read_by_all);
}

/// Reads a setting until a pipeline is open.
fn read_until_pipelined(other: &mut OtherProgram, service: &Service, item: &str) {
    let clients = clients(service, 16);
    wait_for("the pipeline", || {
        (sessions_of(other, &clients, item, BY_KEY) == 1).then_some(())
    });
}

#[test]
fn many_clients_read_by_key_on_one_session() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = service(&cluster);
    let item = service.create(SETTINGS, &json!({"name": "one", "value": "x"}));
    read_on_one_session(&cluster, &service, &item, BY_KEY);
}

#[test]
fn many_clients_read_few_keys_on_one_session() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = service(&cluster);
    service.create(SETTINGS, &json!({"name": "one", "value": "x"}));
    service.create(SETTINGS, &json!({"name": "two", "value": "y"}));
    let path = |limit| format!("{SETTINGS}?filter=in(id,[1,2,3])&limit={limit}");
    // A full page, whose total is in its last row, and one that tells it by its length.
    for limit in [1, 10] {
        let path = path(limit);
        read_on_one_session(&cluster, &service, &path, OF_KEYS);
        assert_eq!(service.read(&path)["totalItems"], 2);
    }
    // One that is past the end.
    let past = service.read(&format!("{}&offset=5", path(1)));
    assert_eq!(past["totalItems"], 2);
    let total = service.read(&path(0));
    assert_eq!(total["totalItems"], 2);
}

#[test]
fn many_clients_read_a_quick_page_on_one_session() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    // Sessions of pipelines must not differ from others.
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    other.execute("ALTER ROLE ALL SET timezone = 'Asia/Tokyo'");
    let service = service(&cluster);
    service.create(SETTINGS, &json!({"name": "one", "value": "x"}));
    read_on_one_session(&cluster, &service, SETTINGS, PAGE);
    for total in 2..5 {
        let name = format!("number {total}");
        service.create(SETTINGS, &json!({"name": name, "value": "y"}));
        // The last of them is pipelined again.
        for _ in 0..5 {
            assert_eq!(service.read(SETTINGS)["totalItems"], total);
        }
    }
}

#[test]
fn more_clients_than_a_pipeline_has_room_for_use_the_next_one() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = service(&cluster);
    let item = service.create(SETTINGS, &json!({"name": "one", "value": "x"}));
    let (mut other, mut locking) = (
        TestDatabase::at(&cluster.url()).other_program(),
        TestDatabase::at(&cluster.url()).other_program(),
    );
    let clients = clients(&service, 40);
    wait_for("both pipelines", || {
        let since = other.text("SELECT clock_timestamp()::text");
        locking.execute("BEGIN");
        locking.execute("LOCK TABLE settings");
        thread::scope(|scope| {
            for client in &clients {
                scope.spawn(|| assert_eq!(client.read(&item)["value"], "x"));
            }
            wait_for("sessions that wait", || {
                (other.sessions_behind_locks() >= 2).then_some(())
            });
            locking.execute("COMMIT");
        });
        // Until the second one is open, other sessions read what the first has no room for.
        (reading_since(&mut other, &since, BY_KEY) == 2).then_some(())
    });
}

#[test]
fn a_read_that_waits_for_a_lock_delays_others_shortly() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = service(&cluster);
    let item = service.create(SETTINGS, &json!({"name": "one", "value": "x"}));
    let town = service.create("/api/1.0/towns", &json!({"name": "Oslo"}));
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    read_until_pipelined(&mut other, &service, &item);
    other.execute("BEGIN");
    other.execute("LOCK TABLE settings");
    let was_read = AtomicBool::new(false);
    thread::scope(|scope| {
        let read = || {
            let _end = SetOnDrop(&was_read);
            assert_eq!(service.read(&item)["value"], "x");
        };
        let waiting = [scope.spawn(read), scope.spawn(read)];
        wait_for("a pipeline behind the lock", || {
            (other.sessions_behind_locks() > 0).then_some(())
        });
        for _ in 0..20 {
            assert_eq!(service.read(&town)["name"], "Oslo");
            thread::yield_now();
        }
        assert!(!was_read.load(Ordering::Relaxed));
        other.execute("COMMIT");
        for waiting in waiting {
            waiting.join().expect("a read after the lock");
        }
    });
}

#[test]
fn an_idle_pipeline_is_closed() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let options = Database::options().idle_timeout(Duration::from_millis(300));
    let service = service_with(&cluster, options);
    let item = service.create(SETTINGS, &json!({"name": "one", "value": "x"}));
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    read_until_pipelined(&mut other, &service, &item);
    wait_for("their end", || {
        let sessions = other.text(
            "SELECT count(*)::text FROM pg_stat_activity \
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
        );
        (sessions == "0").then_some(())
    });
    assert_eq!(service.read(&item)["value"], "x");
}

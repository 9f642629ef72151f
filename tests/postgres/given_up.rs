//! Connections that were given up: they count until the server is done, and leave some for reads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use resource_runtime::{Api, Database, DatabaseOptions};
use resource_tests::models::SettingOne;
use resource_tests::patience::{SetOnDrop, wait_for};
use resource_tests::{Client, Cluster, OtherProgram, Service, TestDatabase, assert_error};
use serde_json::{Value, json};

const SETTINGS: &str = "/api/1.0/settings";

/// How many connections there are, and how many of them take writes.
const PLACES: usize = 5;
const FOR_WRITES: usize = 4;

/// How long a write waits for a place where none is known to be lost.
const WAIT: Duration = Duration::from_secs(20);

fn settings(cluster: &Cluster, options: DatabaseOptions) -> Service {
    let named = "%20-c%20application_name%3Dsettings";
    let database = TestDatabase::schema(&cluster.url()).with_options(named);
    Service::start_with(&database, options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    })
}

/// How many sessions of the service there are of which this is so.
fn sessions(other: &mut OtherProgram, condition: &str) -> usize {
    let count = other.text(&format!(
        "SELECT count(*)::text FROM pg_stat_activity \
         WHERE application_name = 'settings' AND pid <> pg_backend_pid() AND {condition}"
    ));
    count.parse().expect("a number")
}

/// Has commits wait for a standby that does not exist, or no longer.
fn set_standbys(other: &mut OtherProgram, names: &str) {
    other.execute(&format!(
        "ALTER SYSTEM SET synchronous_standby_names = '{names}'"
    ));
    other.execute("SELECT pg_reload_conf()");
}

/// One of a name of its own: a second of a name would wait for the first.
fn setting() -> Value {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    json!({"name": number.to_string(), "value": ""})
}

#[test]
fn commits_without_their_standbys_take_no_more_than_their_places_and_leave_some_for_reads() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let options = Database::options().connections(u32::try_from(PLACES).expect("few"));
    let options = options.statement_timeout(Duration::from_secs(1));
    let service = settings(&cluster, options.acquire_timeout(WAIT));
    let first = service.create(SETTINGS, &setting());
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    set_standbys(&mut other, "nobody");
    let waiting = "wait_event = 'SyncRep'";
    wait_for("a commit that waits", || {
        let answer = service.post(SETTINGS, &setting());
        (answer.status == 500 && sessions(&mut other, waiting) > 0).then_some(())
    });
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = SetOnDrop(&is_over);
        for _ in 0..2 * FOR_WRITES {
            scope.spawn(|| {
                let client = Client::of_process(service.address());
                while !is_over.load(Ordering::Relaxed) {
                    client.post(SETTINGS, &setting());
                }
            });
        }
        wait_for("a write that is refused at once", || {
            let asked = Instant::now();
            let answer = service.post(SETTINGS, &setting());
            // One more asks the server what became of the others.
            let open = sessions(&mut other, "state <> 'idle'");
            assert!(open <= PLACES + 1, "{open} sessions at work");
            if answer.status != 503 || asked.elapsed() >= WAIT {
                return None;
            }
            assert_error(&answer, 503, 10090);
            Some(())
        });
        assert_eq!(sessions(&mut other, waiting), FOR_WRITES);
        for _ in 0..20 {
            assert_eq!(service.read(&first)["value"], "");
            assert!(service.read(SETTINGS)["totalItems"].is_u64());
        }
        assert_eq!(sessions(&mut other, waiting), FOR_WRITES);
    });
    set_standbys(&mut other, "");
    wait_for("a write", || {
        (service.post(SETTINGS, &setting()).status == 201).then_some(())
    });
}

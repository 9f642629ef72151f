//! Permits of cancelled statements: held until the server is done, and never all taken by writes.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use resource_runtime::{Api, Database, DatabaseOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::{SetOnDrop, wait_for};
use resource_tests::{Client, Cluster, OtherProgram, Service, TestDatabase, assert_error};
use serde_json::{Value, json};

const SETTINGS: &str = "/api/1.0/settings";

/// Number of connections, of which one is a pipeline, and `FOR_WRITES` serve writes.
const PLACES: usize = 5;
const FOR_WRITES: usize = 3;

/// The time for which a write waits for a permit while none is known to be lost.
const WAIT: Duration = Duration::from_secs(20);

fn settings(url: &str, options: DatabaseOptions) -> Service {
    let named = "%20-c%20application_name%3Dsettings";
    let database = TestDatabase::schema(url).with_options(named);
    Service::start_with(&database, options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    })
}

/// A proxy before a server, which drops the bytes of its connections on demand.
struct Network {
    port: u16,
    swallows: Arc<Mutex<Arc<AtomicBool>>>,
}

impl Network {
    fn before(server: &Cluster) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its number").port();
        let swallows = Arc::new(Mutex::new(Arc::new(AtomicBool::new(false))));
        let (of_new, server) = (swallows.clone(), address(server));
        // The thread ends with the process.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(&server).expect("the server listens");
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone(), to.try_clone());
                    let swallows = of_new.lock().expect("no panic").clone();
                    thread::spawn(move || pass(from.expect("one"), to.expect("one"), &swallows));
                }
            }
        });
        Self { port, swallows }
    }

    /// Drops the bytes of all present connections; later ones work.
    fn swallow(&self) {
        let mut swallows = self.swallows.lock().expect("no panic");
        swallows.store(true, Ordering::SeqCst);
        *swallows = Arc::default();
    }
}

/// Forwards bytes and the end of a stream, unless they are dropped.
fn pass(mut from: TcpStream, mut to: TcpStream, swallows: &AtomicBool) {
    let mut buffer = [0; 4096];
    loop {
        let length = from.read(&mut buffer).unwrap_or_default();
        let swallowed = swallows.load(Ordering::SeqCst);
        if !swallowed && length > 0 {
            let _ = to.write_all(&buffer[..length]);
        } else if length == 0 {
            // Dropping the streams would close them, which the peer would notice.
            if swallowed {
                loop {
                    thread::park();
                }
            }
            let _ = to.shutdown(Shutdown::Write);
            return;
        }
    }
}

/// The address of a server.
fn address(server: &Cluster) -> String {
    let url = server.url();
    let address = url.split(['@', '/']).nth(3).expect("an address");
    address.to_owned()
}

/// Number of sessions of the service that meet this condition.
fn sessions(other: &mut OtherProgram, condition: &str) -> usize {
    let count = other.text(&format!(
        "SELECT count(*)::text FROM pg_stat_activity \
         WHERE application_name = 'settings' AND pid <> pg_backend_pid() AND {condition}"
    ));
    count.parse().expect("a number")
}

/// Makes commits wait for a standby that does not exist, or for none.
fn set_standbys(other: &mut OtherProgram, names: &str) {
    other.execute(&format!(
        "ALTER SYSTEM SET synchronous_standby_names = '{names}'"
    ));
    other.execute("SELECT pg_reload_conf()");
}

/// A setting with a name of its own: a second one of the same name would wait for the first.
fn setting() -> Value {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    json!({"name": number.to_string(), "value": ""})
}

#[test]
fn commits_waiting_for_a_standby_leave_connections_for_reads() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let options = Database::options().connections(u32::try_from(PLACES).expect("few"));
    let options = options.statement_timeout(Duration::from_secs(1));
    let service = settings(&cluster.url(), options.acquire_timeout(WAIT));
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
            // One more session queries the state of the others.
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

#[test]
fn session_lost_by_the_network_releases_its_permit() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let network = Network::before(&cluster);
    let options = Database::options().connections(1);
    let options = options.statement_timeout(Duration::from_secs(1));
    let port = network.port;
    let url = format!("postgres://tester@127.0.0.1:{port}/postgres");
    let service = settings(&url, options.acquire_timeout(Duration::from_secs(1)));
    let path = service.create(SETTINGS, &setting());
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    assert_eq!(service.read(&path)["value"], "");
    network.swallow();
    assert_error(&service.get(&path), 503, 10090);
    other.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE application_name = 'settings' AND pid <> pg_backend_pid()",
    );
    wait_for("a place", || {
        (service.get(&path).status == 200).then_some(())
    });
}

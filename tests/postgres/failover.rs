//! Cached totals of a server are not used for another one, even if their snapshots have equal names.

use std::io::{self, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::thread;

use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{Cluster, OtherProgram, Service, TestDatabase, raw};

use super::totals::{SETTINGS, insert};

/// A proxy before two servers, which forwards each new connection to the selected one.
struct Proxy {
    port: u16,
    server: Arc<AtomicU16>,
    /// Number of open connections.
    open: Arc<AtomicUsize>,
}

impl Proxy {
    fn start(server: &Cluster) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its number").port();
        let proxy = Self {
            port,
            server: Arc::new(AtomicU16::new(port_of(server))),
            open: Arc::default(),
        };
        let (server, open) = (proxy.server.clone(), proxy.open.clone());
        // The thread ends with the process.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = server.load(Ordering::SeqCst);
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                open.fetch_add(1, Ordering::SeqCst);
                copy(&server, &client, || ());
                let open = open.clone();
                copy(&client, &server, move || {
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        proxy
    }

    fn switch_to(&self, server: &Cluster) {
        self.server.store(port_of(server), Ordering::SeqCst);
    }

    fn wait_until_unused(&self) {
        wait_for("the end of all connections", || {
            (self.open.load(Ordering::SeqCst) == 0).then_some(())
        });
    }

    fn url(&self) -> String {
        format!("postgres://tester@127.0.0.1:{}/postgres", self.port)
    }
}

/// Forwards bytes from one stream to the other, and its end.
fn copy(from: &TcpStream, to: &TcpStream, end: impl FnOnce() + Send + 'static) {
    let mut from = from.try_clone().expect("a socket");
    let mut to = to.try_clone().expect("a socket");
    thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
        end();
    });
}

fn port_of(server: &Cluster) -> u16 {
    let url = server.url();
    let port = url.rsplit(':').next().and_then(|it| it.split('/').next());
    port.and_then(|it| it.parse().ok()).expect("a port")
}

/// Two servers whose snapshots have equal names, with 30 settings on one and 12 on the other, and
/// a service that has cached the total of 30.
struct Pair {
    one: Cluster,
    other: Cluster,
    proxy: Proxy,
    service: Service,
    on_one: OtherProgram,
}

impl Pair {
    fn start() -> Option<Self> {
        let (one, other) = (Cluster::start()?, Cluster::start()?);
        let proxy = Proxy::start(&one);
        let options = Database::options().statement_timeout(PATIENCE);
        let options = options.acquire_timeout(PATIENCE);
        let settings = |database| Api::builder().resource::<SettingOne>().build(database);
        let at = |server: &Cluster| TestDatabase::at(&server.url());
        drop(Service::start_on(&at(&other), settings));
        let through = TestDatabase::at(&proxy.url());
        let service = Service::start_with(&through, options, settings);
        let mut on_one = at(&one).other_program();
        on_one.execute(&insert(1, 30));
        at(&other).other_program().execute(&insert(1, 12));
        level_snapshots(&one, &other);
        for _ in 0..3 {
            assert_eq!(total(&service), 30);
        }
        level_snapshots(&one, &other);
        proxy.switch_to(&other);
        Some(Self {
            one,
            other,
            proxy,
            service,
            on_one,
        })
    }
}

fn total(service: &Service) -> u64 {
    let page = service.read(&format!("{SETTINGS}?limit=3"));
    page["totalItems"].as_u64().expect("a total")
}

/// Runs empty transactions on the server that is behind, until the snapshots have equal names.
fn level_snapshots(one: &Cluster, other: &Cluster) {
    let mut servers = [one, other].map(|it| TestDatabase::at(&it.url()).other_program());
    wait_for("equal snapshots", || {
        let names = servers
            .each_mut()
            .map(|it| it.text("SELECT pg_current_snapshot()::text"));
        if names[0] == names[1] {
            return Some(());
        }
        let next = names.map(|it| it.split(':').nth(1)?.parse::<u64>().ok());
        let behind = usize::from(next[1] < next[0]);
        servers[behind].execute("SELECT pg_current_xact_id()");
        None
    });
}

#[test]
fn cached_total_is_not_used_after_a_failover() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    // The connections end while they are idle, so that no request notices.
    let sessions = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity \
                    WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    pair.on_one.execute(sessions);
    pair.proxy.wait_until_unused();
    level_snapshots(&pair.one, &pair.other);
    assert_eq!(total(&pair.service), 12);
}

#[test]
fn cached_total_is_not_used_on_a_newer_connection() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    pair.on_one.execute("BEGIN; LOCK TABLE settings");
    let mut late = raw::connect(pair.service.address());
    let request =
        format!("GET {SETTINGS}?limit=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    late.write_all(request.as_bytes()).expect("a request");
    wait_for("a list that waits for the lock", || {
        (pair.on_one.sessions_behind_locks() == 1).then_some(())
    });
    // Beside the waiting connection, the request opens one to the other server.
    assert_eq!(total(&pair.service), 12);
    pair.on_one.execute("COMMIT");
    assert_eq!(raw::parse(&raw::read_to_end(late)).json()["totalItems"], 30);
}

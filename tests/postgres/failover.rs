//! Totals that were counted on a server are of no other, whatever its snapshots are called.

use std::io::{self, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::thread;

use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::patience::{PATIENCE, wait_for};
use resource_tests::{Cluster, OtherProgram, Service, TestDatabase, raw};

use super::totals::{SETTINGS, insert};

/// A proxy before two servers, which hands each new connection to the one that it is told.
struct Proxy {
    port: u16,
    server: Arc<AtomicU16>,
    /// Connections that both ends still know of.
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
        // It ends with the process.
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

    fn turn_to(&self, server: &Cluster) {
        self.server.store(port_of(server), Ordering::SeqCst);
    }

    fn wait_until_left(&self) {
        wait_for("all connections to be given up", || {
            (self.open.load(Ordering::SeqCst) == 0).then_some(())
        });
    }

    fn url(&self) -> String {
        format!("postgres://tester@127.0.0.1:{}/postgres", self.port)
    }
}

/// Hands on what comes from one until it ends, which the other is told.
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

/// Two servers whose snapshots are called the same, with 30 settings on one and 12 on the other, and
/// a service that was told of the 30.
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
        level(&one, &other);
        for _ in 0..3 {
            assert_eq!(total(&service), 30);
        }
        level(&one, &other);
        proxy.turn_to(&other);
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

/// Has the server that carried out fewer transactions carry out more, which change nothing.
fn level(one: &Cluster, other: &Cluster) {
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
fn a_total_is_not_told_of_a_server_that_took_the_place_of_another() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    // The connections end while nobody uses them, and no request learns of it.
    let sessions = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity \
                    WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    pair.on_one.execute(sessions);
    pair.proxy.wait_until_left();
    level(&pair.one, &pair.other);
    assert_eq!(total(&pair.service), 12);
}

#[test]
fn a_total_is_used_on_no_younger_connection_than_itself() {
    let Some(mut pair) = Pair::start() else {
        return;
    };
    pair.on_one.execute("BEGIN; LOCK TABLE settings");
    let mut late = raw::connect(pair.service.address());
    let request =
        format!("GET {SETTINGS}?limit=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    late.write_all(request.as_bytes()).expect("a request");
    let waiting = "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    wait_for("a list that waits for the lock", || {
        (pair.on_one.text(waiting) == "1").then_some(())
    });
    // What it takes beside the connection that waits is one to the other server.
    assert_eq!(total(&pair.service), 12);
    pair.on_one.execute("COMMIT");
    assert_eq!(raw::parse(&raw::read_to_end(late)).json()["totalItems"], 30);
}

//! Servers that are unreachable behind a reachable proxy, at the start of a service and while it runs.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use resource_runtime::{Api, ApiResource, Database, ErrorKind};
use resource_tests::models::SettingOne;
use resource_tests::{Cluster, Service, TestDatabase, assert_error, block_on};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

/// A proxy that closes accepted connections while it has no server.
struct Proxy {
    port: u16,
    is_without: Arc<AtomicBool>,
}

impl Proxy {
    /// A proxy that closes the first connections.
    fn start(server: &Cluster, closed: usize, serve: fn(&TcpStream, &TcpStream)) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its number").port();
        let url = server.url();
        let to = url.rsplit(':').next().and_then(|it| it.split('/').next());
        let to: u16 = to.and_then(|it| it.parse().ok()).expect("a port");
        let is_without = Arc::new(AtomicBool::new(false));
        let (without, accepted) = (is_without.clone(), AtomicUsize::new(0));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let number = accepted.fetch_add(1, Ordering::SeqCst);
                if number < closed || without.load(Ordering::SeqCst) {
                    continue;
                }
                if let Ok(server) = TcpStream::connect(("127.0.0.1", to)) {
                    serve(&client, &server);
                }
            }
        });
        Self { port, is_without }
    }

    fn url(&self, parameters: &str) -> String {
        format!(
            "postgres://tester@127.0.0.1:{}/postgres{parameters}",
            self.port
        )
    }
}

/// Forwards everything.
fn forward(client: &TcpStream, server: &TcpStream) {
    for (from, to) in [(client, server), (server, client)] {
        let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
        thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            let _ = to.shutdown(std::net::Shutdown::Both);
        });
    }
}

/// Forwards the first bytes of a session, and nothing after them.
fn fall_silent(client: &TcpStream, server: &TcpStream) {
    let [mut client, mut server] = [client, server].map(|it| it.try_clone().unwrap());
    thread::spawn(move || {
        let mut bytes = [0; 8192];
        let length = client.read(&mut bytes).unwrap_or_default();
        server.write_all(&bytes[..length]).unwrap();
        let _ = io::copy(&mut server, &mut client);
    });
}

/// Forwards everything up to a commit, whose response it drops.
fn lose_commit(client: &TcpStream, server: &TcpStream) {
    let [client, server] = [client, server].map(|it| it.try_clone().unwrap());
    let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    thread::spawn(move || {
        let mut bytes = [0; 8192];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            let sent = &bytes[..length];
            let is_commit = sent.windows(6).any(|it| it == b"COMMIT");
            if is_commit {
                from.shutdown(std::net::Shutdown::Both).unwrap();
            }
            if to.write_all(sent).is_err() || is_commit {
                return;
            }
        }
    });
    let (mut from, mut to) = (server, client);
    thread::spawn(move || io::copy(&mut from, &mut to));
}

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
struct Event {
    id: i64,
    text: String,
}

fn event(text: &str) -> Event {
    Event {
        id: 0,
        text: text.to_owned(),
    }
}

async fn events(url: &str) -> Api {
    let database = Database::connect(url).await.unwrap();
    let api = Api::builder().resource::<Event>().build(database);
    api.unwrap()
}

#[test]
fn commit_without_a_response_has_an_unknown_outcome() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let proxy = Proxy::start(&cluster, 0, lose_commit);
    block_on(async {
        let api = events(&cluster.url()).await;
        api.create_missing_tables().await.unwrap();
        let (api, attempts) = (events(&proxy.url("")).await, AtomicUsize::new(0));
        let attempts = &attempts;
        let lost = api.transaction(|mut transaction| async move {
            attempts.fetch_add(1, Ordering::SeqCst);
            transaction.items().insert(event("lost")).await?;
            transaction.commit(()).await
        });
        let lost = lost.await.unwrap_err();
        assert_eq!(attempts.load(Ordering::SeqCst), 1);
        assert_eq!(lost.kind(), ErrorKind::OutcomeUnknown, "{lost}");
        assert!(!lost.is_retryable());
    });
}

#[test]
fn serialization_failure_is_a_retryable_conflict() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    block_on(async {
        let api = events(&cluster.url()).await;
        api.create_missing_tables().await.unwrap();
        let mut transactions = Vec::new();
        for text in ["one", "two"] {
            let mut transaction = api.begin().await.unwrap();
            let events = transaction.items::<Event>();
            let found = events.filter(Event::TEXT.eq(text)).limit(9).all();
            assert!(found.await.unwrap().is_empty());
            transactions.push(transaction);
        }
        for (transaction, text) in transactions.iter_mut().zip(["two", "one"]) {
            let _ = transaction.items().insert(event(text)).await;
        }
        let mut failed = Vec::new();
        for transaction in transactions {
            failed.extend(transaction.commit(()).await.err());
        }
        let [conflict] = &*failed else {
            panic!("{failed:?}")
        };
        assert_eq!(conflict.kind(), ErrorKind::Conflict, "{conflict}");
        assert!(conflict.is_retryable());
    });
}

#[test]
fn startup_waits_for_the_server_behind_a_proxy() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for parameters in ["", "?sslmode=disable"] {
        let proxy = Proxy::start(&cluster, 3, forward);
        let connected = block_on(Database::connect(&proxy.url(parameters)));
        assert!(connected.is_ok(), "{parameters}: {connected:?}");
    }
}

#[test]
fn startup_error_says_that_the_proxy_closed_the_connection() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let proxy = Proxy::start(&cluster, usize::MAX, forward);
    let connected = block_on(Database::connect(&proxy.url("")));
    let text = connected
        .map(drop)
        .expect_err("there is no server")
        .to_string();
    assert!(text.contains("closed the connection"), "{text}");
}

#[test]
fn server_lost_behind_a_proxy_is_503_10090() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let proxy = Proxy::start(&cluster, 0, forward);
    let service = Service::start_on(&TestDatabase::at(&proxy.url("")), |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let path = service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
    proxy.is_without.store(true, Ordering::SeqCst);
    let mut other = TestDatabase::at(&cluster.url()).other_program();
    other.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    for _ in 0..3 {
        assert_error(&service.get(&path), 503, 10090);
        assert_error(
            &service.post(SETTINGS, &json!({"name": "c", "value": "d"})),
            503,
            10090,
        );
    }
    proxy.is_without.store(false, Ordering::SeqCst);
    assert_eq!(service.read(&path)["value"], "b");
}

#[test]
fn startup_is_limited_by_the_acquire_timeout() {
    const LIMIT: Duration = Duration::from_secs(6);
    let Some(cluster) = Cluster::start() else {
        return;
    };
    // Most of the time has passed when the server accepts the connection, and falls silent.
    let proxy = Proxy::start(&cluster, 50, fall_silent);
    let options = Database::options().acquire_timeout(LIMIT);
    let begun = Instant::now();
    let started = block_on(options.connect(&proxy.url("?sslmode=disable")));
    assert!(started.is_err());
    assert!(begun.elapsed() < LIMIT * 3 / 2, "{:?}", begun.elapsed());
}

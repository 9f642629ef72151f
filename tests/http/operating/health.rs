//! Liveness and readiness of a service.

use std::net::SocketAddr;
use std::time::Duration;

use resource_runtime::{Api, Database, Dialect, ServeOptions};
use resource_tests::models::SettingOne;
use resource_tests::polling::wait_for;
use resource_tests::{
    Answer, Client, Service, TestDatabase, address_book, apply, block_on, every_database,
    responses_differ,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

fn is_uncached(answer: &Answer) -> bool {
    answer.header("cache-control") == Some("no-store")
}

fn all_ok() -> Value {
    json!({"status": "ready", "checks": {"database": "ok", "schema": "ok"}})
}

#[apply(every_database)]
fn a_running_service_is_live_and_ready() {
    let service = address_book();
    let alive = service.get("/livez");
    assert_eq!((alive.status, alive.text()), (200, "ok"));
    assert!(is_uncached(&alive));
    let ready = service.get("/readyz");
    assert_eq!(ready.ok(), all_ok());
    assert!(is_uncached(&ready));
    assert_eq!(service.request("HEAD", "/readyz").send().status, 200);
    assert_eq!(service.request("POST", "/livez").send().status, 405);
}

#[apply(every_database)]
fn a_service_becomes_ready_once_its_tables_exist() {
    responses_differ("the number of requests depends on timing");
    let service = Service::start_without_tables(|database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let unready = service.get("/readyz");
    assert_eq!(unready.status, 503);
    assert!(unready.header("retry-after").is_some() && is_uncached(&unready));
    assert_eq!(
        unready.json(),
        json!({"status": "unavailable", "checks": {"database": "ok", "schema": "failing"}})
    );
    assert_eq!(service.get("/livez").status, 200);
    let database = block_on(Database::connect(&service.database().url())).unwrap();
    let api = Api::builder().resource::<SettingOne>().build(database);
    block_on(api.unwrap().create_missing_tables()).unwrap();
    wait_for("the service to be ready", || {
        (service.get("/readyz").status == 200).then_some(())
    });
}

/// A service that drains for an hour after its stop signal.
fn draining(database: &TestDatabase) -> (Client, oneshot::Sender<()>) {
    let (stop, stopped) = oneshot::channel::<()>();
    let address: SocketAddr = block_on(async {
        let opened = Database::connect(&database.url()).await.unwrap();
        let api = Api::builder().resource::<SettingOne>().build(opened);
        let api = api.unwrap();
        api.create_missing_tables().await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let options = ServeOptions::new().drain(Duration::from_hours(1));
        let end = async { drop(stopped.await) };
        tokio::spawn(options.serve_until(listener, api.router(), end));
        address
    });
    (Client::of_process(address), stop)
}

#[apply(every_database)]
fn a_draining_service_is_not_ready_and_still_serves() {
    responses_differ("the number of requests depends on timing");
    let database = TestDatabase::default();
    let (client, stop) = draining(&database);
    assert_eq!(client.get("/readyz").status, 200);
    stop.send(()).unwrap();
    let unready = wait_for("the service to drain", || {
        let answer = client.get("/readyz");
        (answer.status == 503).then_some(answer)
    });
    assert_eq!(
        unready.json(),
        json!({"status": "draining", "checks": {"database": "ok", "schema": "ok"}})
    );
    assert_eq!(client.get("/livez").status, 200);
    // New connections are accepted and served.
    let another = Client::new(client.address());
    another.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
}

#[test]
fn the_root_must_not_be_a_path_of_health_or_metrics() {
    for root in ["/livez", "/readyz", "/readyz/api", "/metrics"] {
        let builder = Api::builder().root(root).resource::<SettingOne>();
        let mistake = builder.schema_sql(Dialect::Sqlite).unwrap_err().to_string();
        let expected = format!("the root `{root}` is where the service tells of itself");
        assert!(mistake.starts_with(&expected), "{mistake}");
    }
    let beside = Api::builder().root("/livezz").resource::<SettingOne>();
    assert!(beside.schema_sql(Dialect::Sqlite).is_ok());
}

//! What is counted, and who is told.

use resource_runtime::{Api, Database};
use resource_tests::models::{SettingOne, SettingTwo};
use resource_tests::{
    Backend, Service, TestDatabase, answers_differ, apply, block_on, every_database,
};
use serde_json::json;

fn counting() -> Service {
    answers_differ("durations are measured");
    Service::start(|database| {
        let builder = Api::builder().metrics().resource::<SettingOne>();
        builder.resource::<SettingTwo>().build(database)
    })
}

/// The value of a line, which is there once.
#[track_caller]
fn text_of<'text>(metrics: &'text str, name: &str, labels: &[&str]) -> &'text str {
    let is_it = |line: &&str| {
        let (found, _) = line.split_once(['{', ' ']).unwrap_or_default();
        found == name && labels.iter().all(|label| line.contains(label))
    };
    let found: Vec<&str> = metrics.lines().filter(is_it).collect();
    let [line] = found[..] else {
        panic!("{} lines for {name} {labels:?} in {metrics}", found.len());
    };
    line.rsplit(' ').next().unwrap()
}

/// The same, of what is counted.
#[track_caller]
fn value(metrics: &str, name: &str, labels: &[&str]) -> u64 {
    text_of(metrics, name, labels).parse().unwrap()
}

#[apply(every_database)]
fn requests_are_counted_by_what_they_are_for_and_how_they_end() {
    let service = counting();
    let setting = json!({"name": "a", "value": "b"});
    service.create("/api/1.0/settings", &setting);
    for _ in 0..3 {
        service.read("/api/1.0/settings/1");
    }
    service.get("/api/latest/settings/1");
    service.get("/api/1.0/settings/2");
    service.post("/api/2.0/settings", &json!({"secret-word": 1}));
    service.get("/secret-word");
    let metrics = service.get("/metrics");
    assert_eq!(
        metrics.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    assert_eq!(metrics.header("cache-control"), Some("no-store"));
    let text = metrics.text();
    assert!(
        text.ends_with("# EOF\n") && !text.contains("secret-word"),
        "{text}"
    );
    let counted = |operation: &str, version: &str, status: &str| {
        let labels = [operation, version, status].map(|it| format!("=\"{it}\""));
        value(
            text,
            "http_requests_total",
            &labels.each_ref().map(String::as_str),
        )
    };
    assert_eq!(counted("create", "1.0", "201"), 1);
    assert_eq!(counted("retrieve", "1.0", "200"), 3);
    assert_eq!(counted("retrieve", "2.0", "200"), 1);
    assert_eq!(counted("retrieve", "1.0", "404"), 1);
    assert_eq!(counted("create", "2.0", "400"), 1);
    assert_eq!(counted("none", "none", "404"), 1);
    let labels = ["\"retrieve\"", "\"Setting\"", "\"1.0\""];
    let count = value(text, "http_request_duration_seconds_count", &labels);
    let infinite = value(
        text,
        "http_request_duration_seconds_bucket",
        &[&labels[..], &["+Inf"]].concat(),
    );
    assert_eq!((count, infinite), (4, 4));
    let sum = text_of(text, "http_request_duration_seconds_sum", &labels);
    assert!(sum.parse::<f64>().unwrap() > 0.0);
    // The one that asks is in flight.
    assert_eq!(value(text, "http_requests_in_flight", &[]), 1);
    assert_eq!(value(text, "resource_runtime_build_info", &["version="]), 1);
}

#[apply(every_database)]
fn the_use_of_connections_is_told() {
    let service = counting();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let metrics = service.get("/metrics");
    let pool = match Backend::under_test() {
        Backend::Sqlite => "pool=\"write\"",
        Backend::Postgres => "pool=\"all\"",
    };
    let told = |name: &str| value(metrics.text(), name, &[pool]);
    assert!(told("database_connections_most") >= told("database_connections_open"));
    assert!(told("database_connections_open") >= 1);
    assert!(told("database_connections_in_use") <= told("database_connections_open"));
    assert_eq!(told("database_connections_waiting"), 0);
}

#[apply(every_database)]
fn separate_metrics_are_told_elsewhere_alone() {
    answers_differ("durations are measured");
    let database = TestDatabase::default();
    let opened = block_on(Database::connect(&database.url())).unwrap();
    let builder = Api::builder().separate_metrics().resource::<SettingOne>();
    let api = builder.build(opened).unwrap();
    block_on(api.create_missing_tables()).unwrap();
    let service = Service::serve(&database, api.router());
    let elsewhere = Service::serve(&database, api.metrics_router());
    service.read("/api/1.0/settings");
    assert_eq!(service.get("/metrics").status, 404);
    let told = elsewhere.request("GET", "/metrics").try_send().unwrap();
    let listed = ["\"list\"", "\"200\""];
    assert_eq!(value(told.text(), "http_requests_total", &listed), 1);
    let other = elsewhere.request("GET", "/api/1.0/settings").try_send();
    assert_eq!(other.unwrap().status, 404);
}

#[apply(every_database)]
fn nothing_is_told_unless_that_is_set() {
    let service = resource_tests::address_book();
    assert_eq!(service.get("/metrics").status, 404);
}

//! Metrics: their counters, and the separate router that serves them.

use std::io::Write as _;
use std::time::Duration;

use resource_runtime::{Api, ApiBuilder, ApiResource, Database};
use resource_tests::models::{SettingOne, SettingTwo};
use resource_tests::polling::wait_for;
use resource_tests::{
    Backend, Service, TestDatabase, apply, assert_error, block_on, every_database, raw,
    responses_differ,
};
use serde_json::json;

use super::timeouts::{Letter, Reader};

fn with_metrics() -> Service {
    responses_differ("durations are measured");
    Service::start(|database| {
        let builder = Api::builder().metrics().resource::<SettingOne>();
        builder.resource::<SettingTwo>().build(database)
    })
}

/// Number of requests with some labels.
const COUNT: &str = "http_server_request_duration_seconds_count";

/// The value of a metric, as text; exactly one line must match.
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

/// The value of a metric, as an integer.
#[track_caller]
fn value(metrics: &str, name: &str, labels: &[&str]) -> u64 {
    text_of(metrics, name, labels).parse().unwrap()
}

#[apply(every_database)]
fn requests_are_counted_by_operation_version_and_status() {
    let service = with_metrics();
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
    let counted = |labels: &[&str]| value(text, COUNT, labels);
    let setting = |operation: &str, version: &str, status: &str| {
        let labels = [operation, version, status].map(|it| format!("=\"{it}\""));
        counted(&labels.each_ref().map(String::as_str))
    };
    assert_eq!(setting("create", "1.0", "201"), 1);
    assert_eq!(setting("retrieve", "1.0", "200"), 3);
    assert_eq!(setting("retrieve", "2.0", "200"), 1);
    assert_eq!(setting("retrieve", "1.0", "404"), 1);
    assert_eq!(setting("create", "2.0", "400"), 1);
    let item = r#"http_route="/api/1.0/settings/{id}""#;
    let labels = [
        r#"http_request_method="GET""#,
        item,
        r#"http_response_status_code="200""#,
    ];
    assert_eq!(counted(&labels), 3);
    let unknown_path = [r#"http_request_method="GET",http_route="""#, "\"404\""];
    assert_eq!(counted(&unknown_path), 1);
    let infinite = value(
        text,
        "http_server_request_duration_seconds_bucket",
        &[&labels[..], &["+Inf"]].concat(),
    );
    assert_eq!(infinite, 3);
    let sum = text_of(text, "http_server_request_duration_seconds_sum", &labels);
    assert!(sum.parse::<f64>().unwrap() > 0.0);
    // The request for the metrics is in flight.
    assert_eq!(value(text, "http_server_active_requests", &[]), 1);
    assert_eq!(value(text, "resource_runtime_build_info", &["version="]), 1);
}

#[apply(every_database)]
fn invented_methods_share_one_label() {
    let service = with_metrics();
    for method in ["BREW", "PROPFIND"] {
        service.request(method, "/api/1.0/settings").send();
    }
    let metrics = service.get("/metrics");
    let labels = [r#"http_request_method="_OTHER""#, "\"405\""];
    assert_eq!(value(metrics.text(), COUNT, &labels), 2);
}

/// A service with metrics, whose hook never returns for an endless letter.
fn letters(settings: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Service {
    responses_differ("durations are measured");
    Service::start(|database| {
        let builder = settings(Api::builder().metrics());
        builder.resource_with::<Letter>(Reader).build(database)
    })
}

#[apply(every_database)]
fn a_request_of_a_disconnected_client_is_no_longer_in_flight() {
    let service = letters(|builder| builder);
    let in_flight = |count: u64| {
        wait_for("the requests in flight", || {
            let metrics = service.get("/metrics");
            let found = value(metrics.text(), "http_server_active_requests", &[]);
            (found == count).then_some(())
        });
    };
    let body = json!({"text": "endless"}).to_string();
    let mut client = raw::connect(service.address());
    write!(
        client,
        "POST /api/1.0/letters HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    // The request for the metrics is in flight, too.
    in_flight(2);
    drop(client);
    in_flight(1);
}

#[apply(every_database)]
fn a_timed_out_request_is_counted_with_its_operation() {
    let service = letters(|builder| builder.timeout(Duration::from_secs(1)));
    let late = service.post("/api/1.0/letters", &json!({"text": "endless"}));
    assert_error(&late, 503, 10090);
    let metrics = service.get("/metrics");
    let labels = ["\"create\"", "\"Letter\"", "\"1.0\"", "\"503\""];
    assert_eq!(value(metrics.text(), COUNT, &labels), 1);
}

#[apply(every_database)]
fn metrics_report_the_connection_pool() {
    let service = with_metrics();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let metrics = service.get("/metrics");
    let pool = match Backend::under_test() {
        Backend::Sqlite => "pool_name=\"write\"",
        Backend::Postgres => "pool_name=\"all\"",
    };
    let read = |name: &str, labels: &[&str]| {
        let name = format!("db_client_connection_{name}");
        value(metrics.text(), &name, &[&[pool], labels].concat())
    };
    let [idle, used] = ["idle", "used"].map(|it| read("count", &[it]));
    assert!(idle + used >= 1);
    assert!(read("max", &[]) >= idle + used);
    assert_eq!(read("pending_requests", &[]), 0);
}

#[apply(every_database)]
fn separate_metrics_are_served_only_by_their_own_router() {
    responses_differ("durations are measured");
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
    assert_eq!(value(told.text(), COUNT, &listed), 1);
    let other = elsewhere.request("GET", "/api/1.0/settings").try_send();
    assert_eq!(other.unwrap().status, 404);
}

#[apply(every_database)]
fn metrics_are_404_by_default() {
    let service = resource_tests::address_book();
    assert_eq!(service.get("/metrics").status, 404);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Notice", url = "/notices", version = "1.0", operations(list))]
struct Notice {
    id: i64,
}

#[apply(every_database)]
fn metrics_have_no_series_of_operations_that_are_left_out() {
    responses_differ("durations are measured");
    let service = Service::start(|database| {
        Api::builder()
            .metrics()
            .resource::<Notice>()
            .build(database)
    });
    service.read("/api/1.0/notices");
    let metrics = service.get("/metrics");
    assert!(metrics.text().contains(r#"operation="list""#));
    assert!(!metrics.text().contains(r#"operation="create""#));
}

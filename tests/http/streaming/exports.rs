//! Lists of all items, whose reading waits for their client.

use resource_runtime::{Api, ApiResource, Database, DatabaseOptions, Error};
use resource_tests::polling::wait_for;
use resource_tests::{
    Service, StreamedResponse, TestDatabase, apply, assert_error, assert_no_content,
    every_database, responses_differ, watch,
};
use serde_json::{Value, json};

use super::{SETTINGS, SHORT, block_reading_at, single_connection, with_settings};

pub(super) const ALL: &str = "/api/1.0/settings?limit=all&format=ndjson";

/// The settings, which may be listed all at once.
#[derive(Debug, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", limit(all))]
pub(super) struct Setting {
    pub(super) id: i64,
    #[resource(max_length = 50, unique)]
    pub(super) name: String,
    pub(super) value: String,
}

/// The service of the settings, in which all that waits for clients has little room, and none on disk.
fn exported(database: Database) -> Result<Api, Error> {
    let builder = Api::builder().unsent_in_memory(2 << 20).unsent_on_disk(0);
    builder.resource::<Setting>().build(database)
}

fn start(database: &TestDatabase, options: DatabaseOptions) -> Service {
    Service::start_with(database, options, exported)
}

#[apply(every_database)]
fn reading_waits_for_a_slow_client_and_holds_nothing_meanwhile() {
    // Ten times as many bytes as have room in memory, of which a connection's buffers hold a part.
    let database = with_settings(1000, 20_000);
    let service = start(&database, single_connection());
    let slow = StreamedResponse::ask(service.address(), ALL);
    assert!(slow.head.starts_with("HTTP/1.1 200 "), "{}", slow.head);
    // The only connection is free, and the end of the list is not read yet.
    assert_no_content(&service.delete(&format!("{SETTINGS}/1000")));
    service.create(SETTINGS, &json!({"name": "new", "value": "v"}));
    let (body, is_whole) = slow.rest();
    assert!(is_whole);
    let items = serde_json::Deserializer::from_slice(&body).into_iter::<Value>();
    let ids: Vec<i64> = items
        .map(|item| item.unwrap()["id"].as_i64().unwrap())
        .collect();
    let expected: Vec<i64> = (1..1000).chain([1001]).collect();
    assert_eq!(ids, expected);
}

#[apply(every_database)]
fn a_failure_between_batches_cuts_the_list_off() {
    responses_differ("the moment of the failure varies");
    let database = with_settings(3000, 1000);
    let service = start(&database, single_connection().statement_timeout(SHORT));
    block_reading_at(2000, &database);
    let log = watch::keep();
    let cut = StreamedResponse::ask(service.address(), ALL);
    assert!(cut.head.starts_with("HTTP/1.1 200 "), "{}", cut.head);
    let (body, is_whole) = cut.rest();
    assert!(!is_whole);
    assert!(
        body.len() > 1_000_000 && body.ends_with(b"\"}\n"),
        "{}",
        body.len()
    );
    wait_for("the cause in the log", || {
        let text = log.text();
        let mut errors = text.lines().filter(|line| line.starts_with("ERROR"));
        errors
            .find(|line| line.contains("a list was cut off"))
            .map(drop)
    });
    // A failure of the first batch is an error like any other.
    let filter = "&filter=gt(id,1990)";
    assert_error(&service.get(&format!("{ALL}{filter}")), 503, 10090);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
}

#[apply(every_database)]
fn a_disconnected_client_ends_the_reading_without_a_word() {
    let database = with_settings(1000, 20_000);
    let service = start(&database, single_connection());
    let log = watch::keep();
    let left = StreamedResponse::ask(service.address(), ALL);
    drop(left);
    // The room of the bytes that nobody takes is free again, or these would be refused.
    for _ in 0..4 {
        let (body, is_whole) = StreamedResponse::ask(service.address(), ALL).rest();
        assert!(is_whole && body.len() > 20_000_000, "{}", body.len());
    }
    // The log has the lines of concurrent tests, too, whose lists are cut off by a timeout.
    let of_others = ["statement timeout", "took too long"];
    let text = log.text();
    let mut cut = text.lines().filter(|line| line.contains("cut off"));
    let own = cut.find(|line| !of_others.iter().any(|cause| line.contains(cause)));
    assert_eq!(own, None);
}

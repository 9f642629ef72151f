//! Draining: readiness fails before the service stops. Also metrics on an address of their own.

use resource_tests::polling::wait_for;
use resource_tests::{TestDatabase, apply, every_database, responses_differ};

use crate::address_book::{AddressBook, command};

#[apply(every_database)]
fn a_draining_service_is_not_ready_and_still_serves() {
    responses_differ("the number of requests depends on timing");
    let database = TestDatabase::default();
    let mut command = command(&database);
    command.args(["serve", "--drain", "3600"]);
    let book = AddressBook::spawn(command, &database).listening();
    assert_eq!(book.client.get("/readyz").status, 200);
    book.signal("TERM");
    wait_for("the service to drain", || {
        (book.client.get("/readyz").status == 503).then_some(())
    });
    book.client.read("/api/1.0/settings");
}

#[apply(every_database)]
fn sigterm_right_after_startup_exits_with_code_0() {
    let database = TestDatabase::default();
    for _ in 0..5 {
        let mut book = AddressBook::start(&database);
        book.signal("TERM");
        assert_eq!(book.ended().code(), Some(0));
    }
}

#[apply(every_database)]
fn metrics_are_not_served_unless_an_address_is_set() {
    let mut book = AddressBook::start(&TestDatabase::default());
    assert_eq!(book.client.get("/metrics").status, 404);
    book.signal("TERM");
    assert!(book.ended().success());
    assert_eq!(book.rest_of_output(), "");
}

#[apply(every_database)]
fn metrics_are_served_only_at_their_own_address() {
    responses_differ("durations are measured");
    let database = TestDatabase::default();
    let mut command = command(&database);
    command.args(["--metrics-listen", "127.0.0.1:0"]);
    let mut book = AddressBook::spawn(command, &database).listening();
    let line = book.line();
    let told = line.strip_prefix("address-book tells metrics on http://");
    let told = told.and_then(|told| told.strip_suffix("/metrics\n"));
    let address = told.expect(&line).parse().unwrap();
    book.client.read("/api/1.0/settings");
    assert_eq!(book.client.get("/metrics").status, 404);
    let elsewhere = resource_tests::Client::new(address);
    let told = elsewhere.request("GET", "/metrics").try_send().unwrap();
    assert_eq!(told.header("x-content-type-options"), Some("nosniff"));
    let line = "http_server_request_duration_seconds_count{http_request_method=\"GET\",http_route=\"/api/1.0/settings\",\
        operation=\"list\",resource=\"Setting\",version=\"1.0\",http_response_status_code=\"200\"} 1";
    assert!(told.text().contains(line), "{}", told.text());
}

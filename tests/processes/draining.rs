//! A balancer is told before the service goes.

use resource_tests::polling::wait_for;
use resource_tests::{TestDatabase, answers_differ, apply, every_database};

use crate::address_book::{AddressBook, command};

#[apply(every_database)]
fn it_tells_that_it_goes_and_goes_on_meanwhile() {
    answers_differ("how often it is asked depends on the moment");
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
fn a_signal_right_after_the_first_line_is_no_accident() {
    let database = TestDatabase::default();
    for _ in 0..5 {
        let mut book = AddressBook::start(&database);
        book.signal("TERM");
        assert_eq!(book.ended().code(), Some(0));
    }
}

#[apply(every_database)]
fn metrics_are_told_nowhere_unless_an_address_is_named() {
    let mut book = AddressBook::start(&TestDatabase::default());
    assert_eq!(book.client.get("/metrics").status, 404);
    book.signal("TERM");
    assert!(book.ended().success());
    assert_eq!(book.rest_of_output(), "");
}

#[apply(every_database)]
fn metrics_have_an_address_of_their_own() {
    answers_differ("durations are measured");
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
    let line = "http_requests_total{operation=\"list\",resource=\"Setting\",version=\"1.0\",status=\"200\"} 1";
    assert!(told.text().contains(line), "{}", told.text());
}

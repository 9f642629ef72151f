//! Lists whose sending is interrupted: the client is slow or disconnects, or reading fails midway.

use resource_tests::polling::{PATIENCE, wait_for};
use resource_tests::{
    Backend, Service, StreamedResponse, apply, assert_error, block_on, every_database, watch,
};
use serde_json::Value;

use super::{SETTINGS, SHORT, block_reading_at, settings, single_connection, with_settings};

#[apply(every_database)]
fn a_slow_client_holds_no_database_connection() {
    // Far more bytes than the buffers of an unread connection hold.
    let database = with_settings(1000, 20_000);
    let service = Service::start_with(&database, single_connection(), settings);
    let slow = StreamedResponse::ask(service.address(), &format!("{SETTINGS}?limit=1000"));
    assert!(slow.head.starts_with("HTTP/1.1 200 "), "{}", slow.head);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
    let (body, is_whole) = slow.rest();
    assert!(is_whole);
    let page: Value = serde_json::from_slice(&body).expect("a page");
    assert_eq!(page["items"].as_array().map(Vec::len), Some(1000));
    assert_eq!(page["totalItems"], 1000);
}

#[apply(every_database)]
fn a_disconnected_client_holds_no_database_connection() {
    let database = with_settings(300, 1000);
    let options = match Backend::under_test() {
        Backend::Sqlite => single_connection().acquire_timeout(PATIENCE * 2),
        // The server cancels an abandoned statement after its timeout.
        Backend::Postgres => single_connection().statement_timeout(SHORT),
    };
    let service = Service::start_with(&database, options, settings);
    // After the first chunk, and before the next one could show that the client is gone.
    block_reading_at(100, &database);
    let left = StreamedResponse::ask(service.address(), &format!("{SETTINGS}?limit=300"));
    assert!(left.head.starts_with("HTTP/1.1 200 "), "{}", left.head);
    drop(left);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
}

#[apply(every_database)]
fn a_list_whose_reading_fails_has_an_incomplete_body() {
    let database = with_settings(300, 1000);
    let options = single_connection().statement_timeout(SHORT);
    let service = Service::start_with(&database, options, settings);
    block_reading_at(200, &database);
    let log = watch::keep();
    let cut = StreamedResponse::ask(service.address(), &format!("{SETTINGS}?limit=300"));
    assert!(cut.head.starts_with("HTTP/1.1 200 "), "{}", cut.head);
    let (body, is_whole) = cut.rest();
    assert!(!is_whole);
    assert!(body.starts_with(br#"{"items":[{"id":1,"#));
    assert!(body.len() >= 64 * 1024, "{}", body.len());
    wait_for("the cause in the log", || {
        let text = log.text();
        let mut errors = text.lines().filter(|line| line.starts_with("ERROR"));
        errors
            .find(|line| line.contains("a list was cut off"))
            .map(drop)
    });
    // A response that has not begun when reading fails is an error.
    let short = service.get(&format!("{SETTINGS}?offset=190&limit=100"));
    assert_error(&short, 503, 10090);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
}

#[apply(every_database)]
fn a_list_whose_reading_fails_has_an_incomplete_body_over_http_2() {
    let database = with_settings(300, 1000);
    let options = single_connection().statement_timeout(SHORT);
    let service = Service::start_with(&database, options, settings);
    block_reading_at(200, &database);
    let url = format!("http://{}{SETTINGS}?limit=300", service.address());
    block_on(async {
        let client = reqwest::Client::builder().http2_prior_knowledge();
        let client = client.no_proxy().timeout(PATIENCE).build();
        let asked = client.expect("a client").get(url).send().await;
        let mut answer = asked.expect("a response");
        assert_eq!(answer.version(), reqwest::Version::HTTP_2);
        assert_eq!(answer.status(), 200);
        let mut read = 0;
        let cut = loop {
            match answer.chunk().await {
                Ok(Some(piece)) => read += piece.len(),
                Ok(None) => panic!("an end after {read} bytes"),
                Err(cut) => break cut,
            }
        };
        assert!(read >= 64 * 1024, "{read}");
        assert!(cut.is_body() || cut.is_decode(), "{cut:?}");
    });
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
}

//! Lists that are not sent to their end: the client is slow, goes away, or cannot be told more.

use resource_tests::patience::{PATIENCE, wait_for};
use resource_tests::{
    Backend, Coming, Service, apply, assert_error, block_on, every_database, watch,
};
use serde_json::Value;

use super::{SETTINGS, SHORT, never_reads, one_at_a_time, settings, with_settings};

#[apply(every_database)]
fn a_client_that_takes_its_time_keeps_no_reader_from_others() {
    // Far more than a connection holds that nobody reads from.
    let database = with_settings(1000, 20_000);
    let service = Service::start_with(&database, one_at_a_time(), settings);
    let slow = Coming::ask(service.address(), &format!("{SETTINGS}?limit=1000"));
    assert!(slow.head.starts_with("HTTP/1.1 200 "), "{}", slow.head);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
    let (body, is_whole) = slow.rest();
    assert!(is_whole);
    let page: Value = serde_json::from_slice(&body).expect("a page");
    assert_eq!(page["items"].as_array().map(Vec::len), Some(1000));
    assert_eq!(page["totalItems"], 1000);
}

#[apply(every_database)]
fn a_client_that_goes_away_keeps_no_reader_from_others() {
    let database = with_settings(300, 1000);
    let options = match Backend::under_test() {
        Backend::Sqlite => one_at_a_time().acquire_timeout(PATIENCE * 2),
        // The server ends by itself what nobody waits for any more.
        Backend::Postgres => one_at_a_time().statement_timeout(SHORT),
    };
    let service = Service::start_with(&database, options, settings);
    // Behind the first piece, and before the next one could show that nobody takes it.
    never_reads(100, &database);
    let left = Coming::ask(service.address(), &format!("{SETTINGS}?limit=300"));
    assert!(left.head.starts_with("HTTP/1.1 200 "), "{}", left.head);
    drop(left);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
}

#[apply(every_database)]
fn a_list_that_cannot_be_read_to_its_end_is_seen_to_have_none() {
    let database = with_settings(300, 1000);
    let options = one_at_a_time().statement_timeout(SHORT);
    let service = Service::start_with(&database, options, settings);
    never_reads(200, &database);
    let log = watch::keep();
    let cut = Coming::ask(service.address(), &format!("{SETTINGS}?limit=300"));
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
    // What is not begun when it fails is told.
    let short = service.get(&format!("{SETTINGS}?offset=190&limit=100"));
    assert_error(&short, 503, 10090);
    assert_eq!(service.read(&format!("{SETTINGS}/7"))["name"], "7");
}

#[apply(every_database)]
fn a_list_that_is_cut_off_has_no_end_over_http_2_either() {
    let database = with_settings(300, 1000);
    let options = one_at_a_time().statement_timeout(SHORT);
    let service = Service::start_with(&database, options, settings);
    never_reads(200, &database);
    let url = format!("http://{}{SETTINGS}?limit=300", service.address());
    block_on(async {
        let client = reqwest::Client::builder().http2_prior_knowledge();
        let client = client.no_proxy().timeout(PATIENCE).build();
        let asked = client.expect("a client").get(url).send().await;
        let mut answer = asked.expect("an answer");
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

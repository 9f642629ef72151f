//! `/errors/<code>`: a page for every code, for the person who follows the link of an error.

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{Service, address_book, apply, assert_error, every_database};

/// Every code that the contract knows for these operations.
const CODES: [u16; 20] = [
    10000, 10001, 10010, 10020, 10030, 10031, 10050, 10060, 10061, 10062, 10063, 10064, 10070,
    10071, 10072, 10073, 10090, 12100, 12110, 12120,
];

#[apply(every_database)]
fn every_code_has_a_page_that_explains_it() {
    let service = address_book();
    for code in CODES {
        let page = service.get(&format!("/errors/{code}"));
        assert_eq!(page.status, 200, "{code}");
        assert!(
            page.header("content-type")
                .unwrap()
                .starts_with("text/html"),
            "{code}"
        );
        assert!(page.text().contains(&code.to_string()), "{code}");
    }
}

#[apply(every_database)]
fn the_pages_differ() {
    let service = address_book();
    let mut pages: Vec<Vec<u8>> = CODES
        .iter()
        .map(|code| {
            service
                .get(&format!("/errors/{code}"))
                .text()
                .replace(&code.to_string(), "")
                .into_bytes()
        })
        .collect();
    pages.sort_unstable();
    pages.dedup();
    assert_eq!(pages.len(), CODES.len());
}

#[apply(every_database)]
fn a_page_is_for_browsers() {
    let service = address_book();
    let request = service
        .request("GET", "/errors/10010")
        .header("accept", "text/html,application/xhtml+xml");
    assert_eq!(request.send().status, 200);
}

#[apply(every_database)]
fn an_unknown_code_has_no_page() {
    let service = address_book();
    for code in [
        "1",
        "10002",
        "abc",
        "010001",
        "99999999999999999999",
        "10001/x",
        "%FF",
    ] {
        println!("{code}");
        assert_error(&service.get(&format!("/errors/{code}")), 404, 10000);
    }
}

#[apply(every_database)]
fn a_page_can_only_be_read() {
    let service = address_book();
    let answer = service.request("POST", "/errors/10001").json("{}").send();
    assert_error(&answer, 405, 10070);
    assert_eq!(answer.methods(), ["GET", "HEAD"]);
    let head = service.request("HEAD", "/errors/10001").send();
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[apply(every_database)]
fn the_pages_do_not_move_with_the_root() {
    let service = Service::start(|database| {
        Api::builder()
            .root("/rest")
            .resource::<SettingOne>()
            .build(database)
    });
    let details = service.get("/rest/1.0/settings/1").json()["error_details"].clone();
    assert_eq!(
        details,
        format!("http://{}/errors/10001", service.address())
    );
    assert_eq!(service.get("/errors/10001").status, 200);
}

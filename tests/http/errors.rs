//! The body of every error: three members, one of them a link to the page of its code.

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{Service, address_book, apply, assert_error, every_database, raw};
use serde_json::json;

#[apply(every_database)]
fn an_error_has_exactly_three_members_in_their_order() {
    let service = address_book();
    let answer = service.get("/api/1.0/settings/7");
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let details = format!("http://{}/errors/10001", service.address());
    let body = answer.json();
    let description = body["error_description"].as_str().unwrap();
    let expected = format!(
        r#"{{"error_code":10001,"error_description":{},"error_details":"{details}"}}"#,
        json!(description)
    );
    assert_eq!(answer.text(), expected);
}

#[apply(every_database)]
fn error_details_link_to_the_page_of_the_code() {
    let service = address_book();
    let answers = [
        service.get("/api/1.0/nothing"),
        service.get("/api/1.0/settings/1"),
        service.post("/api/1.0/settings", &json!({})),
        service.post("/api/1.0/persons", &json!({"bill_address_id": 1})),
        service.post("/api/1.0/settings", &json!([])),
        service.get("/api/1.0/settings?limit=x"),
        service.get("/api/1.0/settings?x=1"),
        service.request("PATCH", "/api/1.0/settings").send(),
        service
            .request("GET", "/api/1.0/settings")
            .header("accept", "image/png")
            .send(),
        service
            .request("POST", "/api/1.0/settings")
            .body("{}")
            .send(),
    ];
    for answer in answers {
        let body = answer.json();
        let details = body["error_details"].as_str().unwrap();
        let path = details
            .strip_prefix(&format!("http://{}", service.address()))
            .expect("a link to this server");
        let page = service.get(path);
        assert_eq!(page.status, 200, "{details}");
        assert!(
            page.text().contains(&body["error_code"].to_string()),
            "{details}"
        );
    }
}

#[apply(every_database)]
fn the_base_url_of_error_links_can_be_set() {
    let service = Service::start(|database| {
        Api::builder()
            .base_url("https://example.org/docs")
            .resource::<SettingOne>()
            .build(database)
    });
    let answer = service.get("/api/1.0/settings/7");
    assert_error(&answer, 404, 10001);
    assert_eq!(
        answer.json()["error_details"],
        "https://example.org/docs/errors/10001"
    );
}

#[apply(every_database)]
fn a_trailing_slash_of_the_base_url_is_ignored() {
    let service = Service::start(|database| {
        Api::builder()
            .base_url("https://example.org/")
            .resource::<SettingOne>()
            .build(database)
    });
    assert_eq!(
        service.get("/nothing").json()["error_details"],
        "https://example.org/errors/10000"
    );
}

#[apply(every_database)]
fn error_links_use_the_host_header() {
    let service = address_book();
    let answer = raw::send(
        service.address(),
        &["GET /api/1.0/settings/7 HTTP/1.1", "Host: api.example:8443"],
        b"",
    );
    assert_error(&answer, 404, 10001);
    assert_eq!(
        answer.json()["error_details"],
        "http://api.example:8443/errors/10001"
    );
}

#[apply(every_database)]
fn error_links_are_absolute_without_a_host_header() {
    let service = address_book();
    assert_error(
        &raw::send(
            service.address(),
            &["GET /api/1.0/settings/7 HTTP/1.0"],
            b"",
        ),
        404,
        10001,
    );
    assert_error(
        &raw::send(service.address(), &["GET /nothing HTTP/1.0"], b""),
        404,
        10000,
    );
}

#[apply(every_database)]
fn an_invalid_host_is_400_10077_that_does_not_repeat_it() {
    let service = address_book();
    for host in ["a\"b", "a b", "<script>", "a\\b", "", "a/b?c#d", "ä"] {
        println!("{host}");
        let header = format!("Host: {host}");
        let bytes = raw::exchange(
            service.address(),
            format!("GET /nothing HTTP/1.1\r\n{header}\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        assert_error(&raw::parse(&bytes), 400, 10077).without(host_or_never(host));
    }
}

/// The host; for an empty one, which every text contains, a text that never occurs.
fn host_or_never(host: &str) -> &str {
    if host.is_empty() { "\0" } else { host }
}

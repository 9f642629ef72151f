//! Failures of the service: a 500 page, and 503 when the database is unavailable.

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::{
    Answer, Backend, Service, address_book, apply, assert_created, assert_error, every_database,
};
use serde_json::json;

#[track_caller]
pub(crate) fn assert_page(answer: &Answer) {
    assert_eq!(answer.status, 500);
    assert!(
        answer
            .header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
    assert!(
        answer
            .text()
            .contains(answer.header("x-request-id").unwrap()),
        "{}",
        answer.text()
    );
    assert!(!answer.text().contains("settings"), "{}", answer.text());
    assert!(!answer.text().contains("error_code"), "{}", answer.text());
}

#[apply(every_database)]
fn an_unexpected_failure_is_a_500_page_with_the_request_id() {
    let service = Service::start_without_tables(|database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    for method in ["GET", "PUT", "DELETE"] {
        println!("{method}");
        assert_page(
            &service
                .request(method, "/api/1.0/settings/1")
                .json("{}")
                .send(),
        );
    }
    assert_page(&service.get("/api/1.0/settings"));
    assert_page(&service.post("/api/1.0/settings", &json!({"name": "a", "value": "b"})));
}

#[apply(every_database)]
fn a_500_is_an_html_page_even_when_problem_details_are_preferred() {
    let service = Service::start_without_tables(|database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let request = service
        .request("GET", "/api/1.0/settings")
        .header("accept", "application/problem+json, application/json");
    assert_page(&request.header("x-request-id", "mine").send());
}

#[apply(every_database)]
fn client_errors_stay_4xx_when_tables_are_missing() {
    let service = Service::start_without_tables(|database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    assert_error(&service.post("/api/1.0/settings", &json!({})), 400, 10010);
    assert_error(&service.get("/api/1.0/settings?limit=x"), 400, 10063);
    assert_error(&service.get("/api/1.0/nothing"), 404, 10000);
}

#[apply(every_database)]
fn the_service_recovers_once_the_cause_of_a_500_is_gone() {
    let service = address_book();
    let mut other = service.database().other_program();
    other.execute("ALTER TABLE settings RENAME TO hidden");
    assert_page(&service.get("/api/1.0/settings"));
    other.execute("ALTER TABLE hidden RENAME TO settings");
    assert_eq!(
        service.read("/api/1.0/settings"),
        json!({"items": [], "totalItems": 0})
    );
    assert_created(&service.post("/api/1.0/settings", &json!({"name": "a", "value": "b"})));
}

#[apply(every_database)]
fn a_database_locked_by_another_program_is_503_10090_with_retry_after() {
    let service = address_book();
    let mut other = service.database().other_program();
    other.execute(match Backend::under_test() {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => "BEGIN; LOCK TABLE settings IN SHARE MODE",
    });
    let answer = service.post("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    assert_error(&answer, 503, 10090);
    let seconds: u32 = answer
        .header("retry-after")
        .expect("a Retry-After")
        .parse()
        .unwrap();
    assert!(seconds > 0);
    assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
    other.execute("ROLLBACK");
    assert_created(&service.post("/api/1.0/settings", &json!({"name": "a", "value": "b"})));
}

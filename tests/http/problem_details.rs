//! `Accept: application/problem+json`: the same errors as problem details (RFC 9457).

use resource_tests::{Answer, Client, address_book, apply, every_database};
use serde_json::{Value, json};

fn post(service: &Client, path: &str, accept: &str, body: &Value) -> Answer {
    service
        .request("POST", path)
        .header("accept", accept)
        .json(body.to_string())
        .send()
}

#[track_caller]
fn problem(answer: &Answer) -> Value {
    assert_eq!(
        answer.header("content-type"),
        Some("application/problem+json"),
        "{}",
        answer.text()
    );
    serde_json::from_slice(&answer.body).expect("JSON")
}

#[apply(every_database)]
fn problem_details_have_the_members_of_an_error() {
    let service = address_book();
    let answer = service
        .request("GET", "/api/1.0/settings/7")
        .header("accept", "application/problem+json")
        .send();
    let body = problem(&answer);
    assert_eq!((answer.status, &body["status"]), (404, &json!(404)));
    assert_eq!(body["error_code"], 10001);
    assert_eq!(
        body["type"],
        format!("http://{}/errors/10001", service.address())
    );
    assert!(!body["title"].as_str().unwrap().is_empty());
    assert!(body["detail"].as_str().unwrap().contains("does not exist"));
    assert_eq!(body.get("errors"), None);
}

#[apply(every_database)]
fn problem_details_have_a_json_pointer_per_attribute() {
    let service = address_book();
    let body = json!({"name": "n".repeat(51), "colour": 1});
    let answer = post(
        &service,
        "/api/1.0/settings",
        "application/problem+json",
        &body,
    );
    let body = problem(&answer);
    assert_eq!((answer.status, &body["error_code"]), (400, &json!(10010)));
    let mut pointers: Vec<&str> = body["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["pointer"].as_str().unwrap())
        .collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/colour", "/name", "/value"]);
    for error in body["errors"].as_array().unwrap() {
        assert!(!error["message"].as_str().unwrap().is_empty());
        assert!(
            body["detail"]
                .as_str()
                .unwrap()
                .contains(error["message"].as_str().unwrap())
        );
    }
}

#[apply(every_database)]
fn json_pointers_are_escaped() {
    let service = address_book();
    let answer = post(
        &service,
        "/api/1.0/settings",
        "application/problem+json",
        &json!({"name": "a", "value": "b", "x/y~z": 1}),
    );
    assert_eq!(problem(&answer)["errors"][0]["pointer"], "/x~1y~0z");
}

#[apply(every_database)]
fn constraint_violations_have_json_pointers() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let taken = post(
        &service,
        "/api/1.0/settings",
        "application/problem+json",
        &json!({"name": "a", "value": "b"}),
    );
    assert_eq!(problem(&taken)["error_code"], 10030);
    assert_eq!(problem(&taken)["errors"][0]["pointer"], "/name");
    let missing = post(
        &service,
        "/api/1.0/persons",
        "application/problem+json",
        &json!({"bill_address_id": 7}),
    );
    assert_eq!(problem(&missing)["error_code"], 10031);
    assert_eq!(
        problem(&missing)["errors"][0]["pointer"],
        "/bill_address_id"
    );
}

#[apply(every_database)]
fn problem_details_are_sent_only_when_preferred() {
    let service = address_book();
    let get = |accept: &str| {
        let answer = service
            .request("GET", "/api/1.0/settings/7")
            .header("accept", accept)
            .send();
        answer.header("content-type").unwrap().to_owned()
    };
    for accept in [
        "application/json",
        "*/*",
        "application/*",
        "application/json, application/problem+json;q=0",
        "application/json, application/problem+json;q=0.5",
        "application/problem+json;q=0.5, application/json;q=0.6",
        "*/*, application/problem+json;q=0",
    ] {
        assert_eq!(get(accept), "application/json", "{accept}");
    }
    for accept in [
        "application/problem+json",
        "application/json;q=0.5, application/problem+json",
        "Application/Problem+JSON",
    ] {
        assert_eq!(get(accept), "application/problem+json", "{accept}");
    }
}

#[apply(every_database)]
fn an_item_is_plain_json_when_problem_details_are_accepted() {
    let service = address_book();
    service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    let request = service
        .request("GET", "/api/1.0/settings/1")
        .header("accept", "application/json, application/problem+json");
    assert_eq!(
        request.send().ok(),
        json!({"id": 1, "name": "a", "value": "b"})
    );
}

#[apply(every_database)]
fn a_wrong_method_has_allow_beside_problem_details() {
    let service = address_book();
    let answer = service
        .request("PATCH", "/api/1.0/settings")
        .header("accept", "application/problem+json")
        .send();
    assert_eq!(problem(&answer)["error_code"], 10070);
    assert_eq!(answer.methods(), ["GET", "HEAD", "POST"]);
}

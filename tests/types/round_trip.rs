//! Round trips of values of any type. Values are JSON text, since a parser would normalise them.

use resource_tests::{Answer, Client, assert_created, assert_error, assert_no_content};

use crate::samples::SAMPLES;

/// Sends a body verbatim.
#[track_caller]
pub(crate) fn send(client: &Client, method: &str, path: &str, body: &str) -> Answer {
    client.request(method, path).json(body).send()
}

/// Creates an item of this body and returns its path.
#[track_caller]
pub(crate) fn create(client: &Client, collection: &str, body: &str) -> String {
    assert_created(&send(client, "POST", collection, body))
}

/// Asserts that a sent value is returned as `shown`: by an item, by a page, after an update, and when the
/// returned value is sent again.
#[track_caller]
pub(crate) fn assert_kept(client: &Client, sent: &str, shown: &str) {
    println!("{}", sent.get(..100).unwrap_or(sent));
    let body = both(sent, sent);
    let path = create(client, SAMPLES, &body);
    let (_, id) = path.rsplit_once('/').expect("an id");
    assert_shown(client, id, shown, shown);
    for body in [&body, &both(shown, shown)] {
        assert_no_content(&send(client, "PUT", &path, r#"{"maybe":null}"#));
        assert_shown(client, id, shown, "null");
        assert_no_content(&send(client, "PUT", &path, body));
        assert_shown(client, id, shown, shown);
    }
}

/// Asserts that null is a value of an `Option` alone; `example` is a value of the type.
#[track_caller]
pub(crate) fn assert_null_is_for_an_option_alone(client: &Client, example: &str) {
    for body in [
        String::from("{}"),
        format!(r#"{{"maybe":{example}}}"#),
        both("null", example),
    ] {
        assert_required(&send(client, "POST", SAMPLES, &body));
    }
    let absent = create(client, SAMPLES, &format!(r#"{{"value":{example}}}"#));
    let null = create(client, SAMPLES, &both(example, "null"));
    for path in [&absent, &null] {
        assert_required(&send(client, "PUT", path, r#"{"value":null}"#));
        assert_eq!(client.read(path)["maybe"], serde_json::Value::Null);
    }
}

fn both(value: &str, maybe: &str) -> String {
    format!(r#"{{"value":{value},"maybe":{maybe}}}"#)
}

#[track_caller]
fn assert_required(answer: &Answer) {
    assert_error(answer, 400, 10010);
    assert_eq!(answer.json()["error_description"], "`value` is required");
}

#[track_caller]
fn assert_shown(client: &Client, id: &str, value: &str, maybe: &str) {
    let item = format!(r#"{{"id":{id},"value":{value},"maybe":{maybe}}}"#);
    assert!(
        client.get(&format!("{SAMPLES}/{id}")).text() == item,
        "{item}"
    );
    let page = format!(r#"{{"items":[{item}],"totalItems":1}}"#);
    assert_eq!(
        client.get(&format!("{SAMPLES}?filter=eq(id,{id})")).text(),
        page
    );
    let page = format!(r#"{{"items":[{{"value":{value}}}],"totalItems":1}}"#);
    let fields = format!("{SAMPLES}?filter=eq(id,{id})&fields=value");
    assert_eq!(client.get(&fields).text(), page);
}

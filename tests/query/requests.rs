//! Requests of the tests, with parameters in plain text, which are percent-encoded here.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resource_tests::{Client, Description, assert_error};
use serde_json::{Value, json};

/// All characters but those that are unreserved in URLs.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The percent-encoded value of a parameter.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// The path with these parameters.
pub(crate) fn url(path: &str, parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)))
        .collect();
    format!("{path}?{}", pairs.join("&"))
}

/// The page at this path with these parameters.
#[track_caller]
pub(crate) fn page(client: &Client, path: &str, parameters: &[(&str, &str)]) -> Value {
    println!("{path} {parameters:?}");
    client.read(&url(path, parameters))
}

/// The text of the page at this path with these parameters.
#[track_caller]
pub(crate) fn text(client: &Client, path: &str, parameters: &[(&str, &str)]) -> String {
    println!("{path} {parameters:?}");
    let answer = client.get(&url(path, parameters));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().to_owned()
}

/// The ids of the items of a page.
#[track_caller]
pub(crate) fn ids(page: &Value) -> Vec<i64> {
    let items = page["items"].as_array().expect("items");
    let ids = items.iter().map(|item| item["id"].as_i64().expect("an id"));
    ids.collect()
}

/// The ids of all matching items, in their order. Asserts the total for a page that determines it,
/// for one that does not, and for `limit=0`.
#[track_caller]
pub(crate) fn matching(client: &Client, path: &str, parameters: &[(&str, &str)]) -> Vec<i64> {
    let asked = |limit| page(client, path, &[parameters, &[("limit", limit)]].concat());
    let all = asked("1000");
    let found = ids(&all);
    assert_eq!(all["totalItems"], json!(found.len()));
    let first = asked("1");
    assert_eq!(ids(&first), found.get(..1).unwrap_or_default());
    assert_eq!(first["totalItems"], json!(found.len()));
    assert_eq!(asked("0"), json!({"items": [], "totalItems": found.len()}));
    found
}

/// The ids of the items that match a filter, ascending.
#[track_caller]
pub(crate) fn filtered(client: &Client, path: &str, filter: &str) -> Vec<i64> {
    matching(client, path, &[("filter", filter)])
}

/// The ids of all items in this order.
#[track_caller]
pub(crate) fn ordered(client: &Client, path: &str, order: &str) -> Vec<i64> {
    matching(client, path, &[("order", order)])
}

/// Asserts that the parameter is refused with its code and named; returns the description.
#[track_caller]
pub(crate) fn refused(client: &Client, path: &str, parameter: &str, text: &str) -> Description {
    println!("{parameter}={text}");
    let code = match parameter {
        "filter" => 10060,
        "order" => 10061,
        "fields" => 10062,
        "offset" | "limit" => 10063,
        _ => 10064,
    };
    let answer = client.get(&url(path, &[(parameter, text)]));
    assert_error(&answer, 400, code).naming(&[&format!("`{parameter}`")])
}

/// The text of an error.
#[track_caller]
pub(crate) fn description(client: &Client, path: &str, parameters: &[(&str, &str)]) -> String {
    let answer = client.get(&url(path, parameters));
    assert_eq!(answer.status, 400, "{}", answer.text());
    let description = answer.json()["error_description"].clone();
    description.as_str().expect("a text").to_owned()
}

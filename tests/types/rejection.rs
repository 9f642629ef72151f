//! Errors of values in bodies and filters: the same for every attribute.

use resource_tests::{Client, assert_error};

use crate::requests::{description, refused};
use crate::round_trip::send;
use crate::samples::SAMPLES;

/// The error of a body that sets an attribute to this value, behind the attribute's name.
#[track_caller]
pub(crate) fn error_in_body(client: &Client, literal: &str) -> String {
    let told = ["value", "maybe"].map(|attribute| {
        let body = format!(r#"{{"{attribute}":{literal}}}"#);
        let posted = send(client, "POST", SAMPLES, &body);
        let changed = send(client, "PUT", &format!("{SAMPLES}/1"), &body);
        assert_error(&changed, 400, 10010).in_lines(1);
        let told = changed.json()["error_description"].clone();
        let told = told.as_str().expect("a text");
        assert_error(&posted, 400, 10010).naming(&[told]);
        behind(told, attribute)
    });
    assert_eq!(told[0], told[1]);
    told[0].clone()
}

/// The error of a filter that compares an attribute with this value, behind the attribute's name.
#[track_caller]
pub(crate) fn error_in_filter(client: &Client, literal: &str) -> String {
    let calls = [
        "eq(_,",
        "ne(_,",
        "gt(_,",
        "ge(_,",
        "lt(_,",
        "le(_,",
        "in(_,[null,",
    ];
    let told = calls.map(|call| {
        ["value", "maybe"].map(|attribute| {
            let call = call.replace('_', attribute);
            let end = if call.ends_with("null,") { "])" } else { ")" };
            let filter = format!("{call}{literal}{end}");
            refused(client, SAMPLES, "filter", &filter);
            let description = description(client, SAMPLES, &[("filter", &filter)]);
            let place = format!("`filter`, column {}: ", call.len() + 1);
            let told = description.strip_prefix(&place);
            behind(told.unwrap_or(&description), attribute)
        })
    });
    for other in told.as_flattened() {
        assert_eq!(*other, told[0][0]);
    }
    told[0][0].clone()
}

/// Asserts that values are refused with these words, which describe the allowed ones.
#[track_caller]
pub(crate) fn assert_refused(client: &Client, words: &str, literals: &[&str]) {
    for literal in literals {
        println!("{literal}");
        assert_eq!(error_in_body(client, literal), words);
        let told = match words.strip_prefix("must be ") {
            Some(allowed) => format!("is compared with {allowed}, not {literal}"),
            None => format!("is compared with {literal}, which {words}"),
        };
        assert_eq!(error_in_filter(client, literal), told);
    }
}

/// Asserts the errors of JSON of other types than `allowed` describes, each with its name in the error.
#[track_caller]
pub(crate) fn assert_of_another_type(client: &Client, allowed: &str, others: &[(&str, &str)]) {
    for (literal, found) in others {
        println!("{literal}");
        let told = format!("must be {allowed}, not {found}");
        assert_eq!(error_in_body(client, literal), told);
        if !literal.starts_with(['[', '{']) {
            let told = format!("is compared with {allowed}, not {literal}");
            assert_eq!(error_in_filter(client, literal), told);
        }
    }
}

/// Asserts that patterns are refused, with an error that names the kind of the attribute.
#[track_caller]
pub(crate) fn assert_takes_no_pattern(client: &Client, kind: &str) {
    for function in ["like", "ilike"] {
        let filter = format!(r#"{function}(value,"%")"#);
        refused(client, SAMPLES, "filter", &filter);
        let column = function.len() + 8;
        assert_eq!(
            description(client, SAMPLES, &[("filter", &filter)]),
            format!("`filter`, column {column}: `{function}` matches text, but `value` is {kind}")
        );
    }
}

/// The text behind the attribute's name, with which it starts.
#[track_caller]
fn behind(text: &str, attribute: &str) -> String {
    let told = text.strip_prefix(&format!("`{attribute}` "));
    told.unwrap_or_else(|| panic!("«{text}» is not about `{attribute}`"))
        .to_owned()
}

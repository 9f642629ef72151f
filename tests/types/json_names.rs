//! Names of members within JSON: any text, each once, none with a special meaning.

use resource_tests::{apply, every_database};
use serde_json::Value;

use crate::rejection::error_in_body;
use crate::round_trip::assert_kept;
use crate::samples::samples_of;

samples_of!(Value);

#[apply(every_database)]
fn duplicate_name_in_an_object_is_refused() {
    let service = one_sample("1");
    for (literal, place) in [
        (r#"{"a":1,"a":2}"#, "line 1, column 10"),
        (r#"{"a":1,"b":2,"\u0061":1}"#, "line 1, column 21"),
        (
            "[[{\"b\":\n{\"a\":null,\n \"a\":null}}]]",
            "line 3, column 4",
        ),
    ] {
        let told = format!("must not name a member of an object twice ({place} of the value)");
        assert_eq!(error_in_body(&service, literal), told);
    }
}

#[apply(every_database)]
fn several_objects_may_have_the_same_name() {
    let json = r#"[{"a":1},{"a":{"a":2}}]"#;
    assert_kept(&samples(), json, json);
}

/// The parser would replace the object by the JSON in the string.
#[apply(every_database)]
fn name_with_a_special_meaning_to_the_parser_is_refused() {
    let service = one_sample("1");
    for literal in [
        r#"{"$serde_json::private::RawValue":"[1,2]"}"#,
        r#"{"$serde_json::private::RawValue":7}"#,
        r#"{"\u0024serde_json::private::RawValue":"{}"}"#,
        r#"[{"a":[{"b":0,"$serde_json::private::RawValue":"no JSON"}]}]"#,
    ] {
        let told = error_in_body(&service, literal);
        let words = "must not hold the name `$serde_json::private::RawValue`, which is reserved (";
        assert!(told.starts_with(words), "{told}");
    }
}

#[apply(every_database)]
fn any_other_name_round_trips() {
    let service = samples();
    for json in [
        r#"{"$serde_json::private::Number":"1"}"#,
        r#"{"$ref":"/x","__proto__":{},"constructor":null}"#,
        r#"{" ":1,"\"":2,"\\":3,"a.b":4,"é":5}"#,
        r#"{"$serde_json::private::RawValues":"1"}"#,
    ] {
        assert_kept(&service, json, json);
    }
}

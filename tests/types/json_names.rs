//! The names within JSON: any text, each once, none with a meaning of its own.

use resource_tests::{apply, every_database};
use serde_json::Value;

use crate::rejection::told_in_body;
use crate::round_trip::assert_kept;
use crate::samples::samples_of;

samples_of!(Value);

#[apply(every_database)]
fn a_name_that_stands_twice_in_an_object_is_refused() {
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
        assert_eq!(told_in_body(&service, literal), told);
    }
}

#[apply(every_database)]
fn one_name_may_stand_in_several_objects() {
    let json = r#"[{"a":1},{"a":{"a":2}}]"#;
    assert_kept(&samples(), json, json);
}

/// The parser would put the JSON in the string in the place of the object.
#[apply(every_database)]
fn the_one_name_that_would_have_a_meaning_is_refused() {
    let service = one_sample("1");
    for literal in [
        r#"{"$serde_json::private::RawValue":"[1,2]"}"#,
        r#"{"$serde_json::private::RawValue":7}"#,
        r#"{"\u0024serde_json::private::RawValue":"{}"}"#,
        r#"[{"a":[{"b":0,"$serde_json::private::RawValue":"no JSON"}]}]"#,
    ] {
        let told = told_in_body(&service, literal);
        let words = "must not hold the name `$serde_json::private::RawValue`, which is reserved (";
        assert!(told.starts_with(words), "{told}");
    }
}

#[apply(every_database)]
fn any_other_name_is_a_name() {
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

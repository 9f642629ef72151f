//! An item with an attribute of every type: alone, as a subresource, and through the struct that
//! validators receive.

use resource_runtime::{ApiBuilder, Validator};
use resource_tests::{Client, Service, apply, assert_no_content, every_database};

use crate::records::{ATTRIBUTES, NOTES, RECORDS, Record, records, sent};
use crate::requests;
use crate::round_trip::{create, send};

/// A validator with every hook that changes nothing.
struct Untouched;

impl Validator<Record> for Untouched {}

fn shown(value: impl Fn(&'static str) -> &'static str) -> String {
    let members = ATTRIBUTES.map(|(name, _, shown)| format!(",\"{name}\":{}", value(shown)));
    format!("{{\"id\":1{}}}", members.concat())
}

#[track_caller]
fn assert_shown_everywhere(client: &Client, record: &str) {
    assert_eq!(client.get(&format!("{RECORDS}/1")).text(), record);
    let page = requests::text(client, RECORDS, &[("order", "desc(decimal)")]);
    assert_eq!(page, format!(r#"{{"items":[{record}],"totalItems":1}}"#));
    let expanded = requests::text(
        client,
        NOTES,
        &[("fields", "record"), ("order", "asc(record.at)")],
    );
    assert_eq!(
        expanded,
        format!(r#"{{"items":[{{"record":{record}}}],"totalItems":1}}"#)
    );
    for (attribute, _, _) in ATTRIBUTES {
        let part = requests::text(client, RECORDS, &[("fields", attribute)]);
        let (_, value) = part.split_once(r#"{"items":[{"#).expect("an item");
        let (value, _) = value.split_once(r#"}],"total"#).expect("its end");
        assert!(record.contains(value), "{value}");
    }
}

#[track_caller]
fn assert_every_type_is_kept(service: &Service) {
    create(service, RECORDS, &sent());
    create(service, NOTES, r#"{"record_id":1}"#);
    let path = format!("{RECORDS}/1");
    assert_shown_everywhere(service, &shown(|value| value));
    for (attribute, _, value) in ATTRIBUTES {
        let body = format!(r#"{{"{attribute}":{value}}}"#);
        assert_no_content(&send(service, "PUT", &path, &body));
    }
    assert_shown_everywhere(service, &shown(|value| value));
    for (attribute, _, _) in ATTRIBUTES {
        let body = format!(r#"{{"{attribute}":null}}"#);
        assert_no_content(&send(service, "PUT", &path, &body));
    }
    assert_shown_everywhere(service, &shown(|_| "null"));
    assert_no_content(&send(service, "PUT", &path, &sent()));
    assert_shown_everywhere(service, &shown(|value| value));
}

#[apply(every_database)]
fn item_with_every_type_round_trips() {
    assert_every_type_is_kept(&records(ApiBuilder::resource::<Record>));
}

#[apply(every_database)]
fn item_with_every_type_round_trips_through_hooks() {
    assert_every_type_is_kept(&records(|api| api.resource_with::<Record>(Untouched)));
}

#[apply(every_database)]
fn path_filters_work_for_every_comparable_type() {
    let service = records(ApiBuilder::resource::<Record>);
    create(&service, RECORDS, &sent());
    create(&service, NOTES, r#"{"record_id":1}"#);
    create(&service, NOTES, "{}");
    for (attribute, sent, shown) in ATTRIBUTES.into_iter().filter(|(name, ..)| *name != "json") {
        for literal in [sent, shown] {
            for (function, found) in [("eq", &[1][..]), ("le", &[1]), ("gt", &[]), ("ne", &[2])] {
                let filter = format!("{function}(record.{attribute},{literal})");
                assert_eq!(
                    requests::filtered(&service, NOTES, &filter),
                    found,
                    "{filter}"
                );
            }
        }
    }
}

#[apply(every_database)]
fn all_invalid_attributes_are_reported_at_once() {
    let service = records(ApiBuilder::resource::<Record>);
    let wrong = ATTRIBUTES.map(|(name, ..)| match name {
        "json" => format!("\"{name}\":1e999"),
        "text" => format!("\"{name}\":1"),
        _ => format!("\"{name}\":\"no\""),
    });
    let answer = send(
        &service,
        "POST",
        RECORDS,
        &format!("{{{}}}", wrong.join(",")),
    );
    let names = ATTRIBUTES.map(|(name, ..)| format!("`{name}` must "));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    resource_tests::assert_error(&answer, 400, 10010)
        .naming(&names)
        .in_lines(15);
}

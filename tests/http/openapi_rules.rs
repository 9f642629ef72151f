//! Rules of OpenAPI tools, checked for every version in OpenAPI 3.0 and 3.1.

use std::collections::BTreeSet;

use resource_runtime::{Api, ApiBuilder, Dialect};
use resource_tests::models::SettingOne;
use resource_tests::{Service, address_book, apply, every_database, problems};
use serde_json::{Map, Value, json};

const FILES: [&str; 4] = [
    "openapi.json",
    "openapi-3.0.json",
    "openapi-client.json",
    "openapi-client-3.0.json",
];

/// Every document of the address book, by its path.
fn documents() -> Vec<(String, Value)> {
    let service = address_book();
    let paths = ["1.0", "2.0", "latest"].into_iter();
    let paths = paths.flat_map(|version| FILES.map(|file| format!("/api/{version}/{file}")));
    paths
        .map(|path| (path.clone(), service.read(&path)))
        .collect()
}

/// Every object within a value, itself included.
fn objects(value: &Value) -> Vec<&Map<String, Value>> {
    let (own, inner): (_, Vec<&Value>) = match value {
        Value::Object(members) => (Some(members), members.values().collect()),
        Value::Array(values) => (None, values.iter().collect()),
        _ => (None, Vec::new()),
    };
    let inner = inner.into_iter().flat_map(objects);
    own.into_iter().chain(inner).collect()
}

#[apply(every_database)]
fn security_is_empty_without_authorization() {
    for (path, document) in documents() {
        assert_eq!(document["security"], json!([]), "{path}");
    }
}

#[apply(every_database)]
fn a_nullable_reference_has_a_type() {
    let mut nullable = 0;
    for (path, document) in documents() {
        for object in objects(&document) {
            let Some(told) = object.get("nullable") else {
                continue;
            };
            assert_eq!(told, true, "{path}");
            let is_typed = object.get("type").is_some_and(Value::is_string);
            assert!(is_typed, "{path}: {object:?}");
            nullable += usize::from(object.contains_key("allOf"));
        }
    }
    assert!(nullable > 0, "no nullable reference was found");
}

#[apply(every_database)]
fn unused_components_are_left_out() {
    for (path, document) in documents() {
        let objects = objects(&document);
        let referred = objects.iter().filter_map(|it| it.get("$ref")?.as_str());
        let referred: BTreeSet<String> = referred.map(str::to_owned).collect();
        let sections = document["components"].as_object().unwrap().iter();
        let there = sections.flat_map(|(section, components)| {
            let names = components.as_object().unwrap().keys();
            names.map(move |name| format!("#/components/{section}/{name}"))
        });
        let there: BTreeSet<String> = there.collect();
        assert_eq!(there, referred, "{path}");
    }
}

#[apply(every_database)]
fn every_operation_has_a_description() {
    for (path, document) in documents() {
        for operation in objects(&document) {
            if let Some(id) = operation.get("operationId") {
                let told = operation.get("description").and_then(Value::as_str);
                assert!(told.is_some_and(|it| !it.is_empty()), "{path} {id}");
            }
        }
    }
}

fn with_contact_and_license(contact: &str, license: &str) -> ApiBuilder {
    Api::builder()
        .contact("Support", contact)
        .license("MIT", license)
        .resource::<SettingOne>()
}

#[apply(every_database)]
fn contact_and_license_are_in_the_document() {
    let (contact, license) = ("mailto:help@example.org", "https://example.org/license");
    let service =
        Service::start(|database| with_contact_and_license(contact, license).build(database));
    for file in FILES {
        let document = service.read(&format!("/api/1.0/{file}"));
        let info = &document["info"];
        assert_eq!(info["contact"], json!({"name": "Support", "url": contact}));
        assert_eq!(info["license"], json!({"name": "MIT", "url": license}));
    }
}

#[test]
fn contact_and_license_urls_must_be_absolute() {
    let builder = with_contact_and_license("help", "/license");
    let error = builder.schema_sql(Dialect::Sqlite).unwrap_err();
    let expected = [
        "the URL of the contact, `help`, must be absolute, like `https://example.org/contact`",
        "the URL of the license, `/license`, must be absolute, like `https://example.org/license`",
    ];
    assert_eq!(problems(&error), expected);
}

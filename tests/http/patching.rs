//! `PATCH` on an item: JSON merge patches, into JSON attributes, too (RFC 7396).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use resource_runtime::schema::Kind;
use resource_runtime::{
    Api, ApiResource, FieldValue, HookResult, RecordError, Validator, Value as Stored, WriteContext,
};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, every_database, responses_differ,
};
use serde_json::{Map, Value, json};

/// JSON that always has a width.
#[derive(Debug, Clone)]
struct Size(Value);

impl FieldValue for Size {
    const KIND: Kind = Kind::Json;

    fn from_value(value: Stored) -> Result<Self, RecordError> {
        let size = Value::from_value(value)?;
        let has_width = size.get("width").is_some();
        has_width
            .then_some(Self(size))
            .ok_or_else(|| RecordError::new("needs a width"))
    }

    fn to_value(&self) -> Stored {
        self.0.to_value()
    }
}

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0")]
struct Parcel {
    id: i64,
    #[resource(unique)]
    label: String,
    due: Option<String>,
    tags: Option<Value>,
    size: Option<Size>,
    #[resource(default = 0, default_on_update = 1, read_only)]
    changes: i64,
}

const PARCELS: &str = "/api/1.0/parcels";
const PARCEL: &str = "/api/1.0/parcels/1";

/// Notes the tags that it sees, and counts its calls.
#[derive(Debug, Clone, Default)]
struct Spy(Arc<Mutex<Vec<Option<Value>>>>, Arc<AtomicUsize>);

impl Validator<Parcel> for Spy {
    async fn before_update(
        &self,
        parcel: &mut Parcel,
        context: &mut WriteContext<'_, Parcel>,
    ) -> HookResult {
        self.1.fetch_add(1, Ordering::Relaxed);
        assert!(!context.changes(Parcel::SIZE));
        self.0.lock().unwrap().push(parcel.tags.clone());
        Ok(())
    }
}

fn service() -> Service {
    Service::start(|database| Api::builder().resource::<Parcel>().build(database))
}

fn service_with(spy: Spy) -> Service {
    Service::start(|database| Api::builder().resource_with::<Parcel>(spy).build(database))
}

fn with_tags(service: &Service, tags: &Value) -> String {
    service.create(
        PARCELS,
        &json!({"label": "first", "due": "today", "tags": tags}),
    )
}

#[apply(every_database)]
fn a_patch_changes_what_it_names_and_nulls_clear() {
    let service = service();
    let parcel = with_tags(
        &service,
        &json!({"color": "red", "size": "S", "old": {"a": 1}}),
    );
    let patch = json!({"due": null, "tags": {"color": null, "size": "L", "old": {"b": 2}}});
    assert_no_content(&service.patch(&parcel, &patch));
    assert_eq!(
        service.read(&parcel),
        json!({"id": 1, "label": "first", "due": null, "tags": {"old": {"a": 1, "b": 2}, "size": "L"},
            "size": null, "changes": 1})
    );
    assert_no_content(&service.put(&parcel, &json!({"tags": {"size": "M", "n": null}})));
    assert_eq!(
        service.read(&parcel)["tags"],
        json!({"size": "M", "n": null})
    );
}

#[apply(every_database)]
fn mistakes_are_those_of_put() {
    let service = service();
    let parcel = with_tags(&service, &json!(null));
    service.create(PARCELS, &json!({"label": "second"}));
    for (path, patch, status, code, word) in [
        (
            PARCEL,
            json!({"label": null, "colour": 1}),
            400,
            10010,
            "`label`",
        ),
        (
            PARCEL,
            json!({"label": "second", "tags": {"a": 1}}),
            400,
            10030,
            "`label`",
        ),
        (PARCEL, json!({"id": 2}), 400, 10010, "cannot be changed"),
        (PARCEL, json!({"changes": 7}), 400, 10010, "read-only"),
        (PARCEL, json!([]), 400, 10050, "array"),
        (
            PARCEL,
            json!({"tags": {"a": "\u{0}"}}),
            400,
            10010,
            "U+0000",
        ),
        (
            "/api/1.0/parcels/9",
            json!({"tags": {"a": 1}}),
            404,
            10001,
            "`9`",
        ),
        (
            "/api/1.0/parcels/9",
            json!({"colour": 1}),
            404,
            10001,
            "`9`",
        ),
        ("/api/1.0/parcels/9", json!({}), 404, 10001, "`9`"),
    ] {
        println!("{patch}");
        assert_error(&service.patch(path, &patch), status, code).naming(&[word]);
    }
    assert_no_content(&service.patch(&parcel, &json!({})));
    assert_eq!(service.read(&parcel)["changes"], 0);
}

#[apply(every_database)]
fn a_merged_value_has_to_fit_its_type() {
    let service = service();
    let parcel = with_tags(&service, &json!(null));
    let narrow = service.patch(&parcel, &json!({"size": {"height": 2}}));
    assert_error(&narrow, 400, 10010).naming(&["`size` needs a width"]);
    assert_no_content(&service.put(&parcel, &json!({"size": {"width": 1}})));
    assert_no_content(&service.patch(&parcel, &json!({"size": {"height": 2}})));
    assert_eq!(
        service.read(&parcel)["size"],
        json!({"width": 1, "height": 2})
    );
    let narrow = service.patch(&parcel, &json!({"size": {"width": null}}));
    assert_error(&narrow, 400, 10010).naming(&["`size` needs a width"]);
}

#[apply(every_database)]
fn other_forms_of_bodies_are_415() {
    let service = service();
    let parcel = with_tags(&service, &json!(null));
    let sent = |method: &str, path: &str, form: &str| {
        let request = service.request(method, path).header("content-type", form);
        request.body(r#"{"label":"x"}"#).send()
    };
    let patch = "application/merge-patch+json";
    for form in [
        "application/json",
        "application/json-patch+json",
        "text/plain",
        "",
    ] {
        let answer = sent("PATCH", &parcel, form);
        let remedy = match form {
            "application/json" => "`, or the same body by `PUT`",
            "application/json-patch+json" => "send merge patches by `PATCH`",
            _ => "send the header `Content-Type: application/merge-patch+json`",
        };
        assert_error(&answer, 415, 10073).naming(&["patches are taken as", patch, remedy]);
        assert_eq!(answer.header("accept-patch"), Some(patch));
    }
    assert_error(
        &sent("PATCH", "/api/1.0/parcels/9", "text/plain"),
        404,
        10001,
    );
    for form in [
        patch,
        "application/json-patch+json",
        "Application/Merge-Patch+JSON; charset=utf-8",
    ] {
        for (method, path) in [("PUT", &*parcel), ("POST", PARCELS)] {
            let answer = sent(method, path, form);
            assert_error(&answer, 415, 10073).naming(&["`PATCH`"]);
            assert_eq!(answer.header("accept-patch"), None);
        }
    }
    assert_no_content(&sent("PUT", &parcel, "application/vnd.parcel+json"));
    assert_no_content(&sent(
        "PATCH",
        &parcel,
        "Application/Merge-Patch+JSON; charset=utf-8",
    ));
}

#[apply(every_database)]
fn a_precondition_holds_for_patches() {
    let service = service();
    let parcel = with_tags(&service, &json!({"a": 1}));
    let sent = |header: &str, tag: &str, patch: &str| {
        let request = service.request("PATCH", &parcel).header(header, tag);
        let request = request.header("content-type", "application/merge-patch+json");
        request.body(patch).send()
    };
    let tag = service.get(&parcel).header("etag").unwrap().to_owned();
    let patched = sent("if-match", &tag, r#"{"tags":{"b":2}}"#);
    assert_no_content(&patched);
    let now = service.get(&parcel).header("etag").unwrap().to_owned();
    let row = patched.header("etag").unwrap().trim_end_matches('"');
    assert!(now.starts_with(row), "{now} {row}");
    for patch in [r#"{"tags":{"c":3}}"#, r#"{"due":null}"#, "{}"] {
        assert_error(&sent("if-match", &tag, patch), 412, 10040);
    }
    assert_error(&sent("if-none-match", "*", "{}"), 400, 10074).naming(&["`If-Match`"]);
    assert_no_content(&sent("if-match", "*", r#"{"tags":{"d":4}}"#));
    assert_eq!(
        service.read(&parcel)["tags"],
        json!({"a": 1, "b": 2, "d": 4})
    );
}

#[apply(every_database)]
fn hooks_see_the_merged_value() {
    let spy = Spy::default();
    let service = service_with(spy.clone());
    let parcel = with_tags(&service, &json!({"a": 1, "b": 2}));
    assert_no_content(&service.patch(&parcel, &json!({"tags": {"a": null, "c": 3}})));
    let seen = spy.0.lock().unwrap().clone();
    assert_eq!(seen, [Some(json!({"b": 2, "c": 3}))]);
    assert_eq!(service.read(&parcel)["tags"], json!({"b": 2, "c": 3}));
    assert_error(
        &service.patch(&parcel, &json!({"size": {"height": 2}})),
        400,
        10010,
    );
    assert_eq!(spy.1.load(Ordering::Relaxed), 1);
}

/// The examples of RFC 7396, appendix A, as the values of a member and of the whole attribute.
#[apply(every_database)]
fn the_examples_of_the_rfc_hold() {
    let service = service();
    let parcel = with_tags(&service, &json!(null));
    for (stored, patch, merged) in [
        (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
        (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
        (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
        (
            r#"{"a":{"b":"c"}}"#,
            r#"{"a":{"b":"d","c":null}}"#,
            r#"{"a":{"b":"d"}}"#,
        ),
        (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
        (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
        (r#"{"a":"foo"}"#, "null", "null"),
        (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
        (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
        ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
        ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
    ] {
        println!("{stored} {patch}");
        let [stored, patch, merged] =
            [stored, patch, merged].map(|it| serde_json::from_str::<Value>(it).unwrap());
        assert_no_content(&service.put(&parcel, &json!({"tags": stored})));
        assert_no_content(&service.patch(&parcel, &json!({"tags": patch})));
        assert_eq!(service.read(&parcel)["tags"], merged);
    }
}

/// JSON of a few names, so that patches meet what is there.
fn some_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c\u{e9}\"\\\\]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let name = prop_oneof![Just("a"), Just("b"), Just("c d"), Just("")];
        let members = proptest::collection::vec((name, inner.clone()), 0..4);
        prop_oneof![
            2 => members.prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect())
            }),
            1 => proptest::collection::vec(inner, 0..3).prop_map(Value::Array),
        ]
    })
}

/// `MergePatch` as RFC 7396, section 2 writes it.
fn merge_patch(target: Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else {
        return patch.clone();
    };
    let mut target = match target {
        Value::Object(target) => target,
        _ => Map::new(),
    };
    for (name, value) in patch {
        let before = target.remove(name);
        if !value.is_null() {
            let merged = merge_patch(before.unwrap_or(Value::Null), value);
            target.insert(name.clone(), merged);
        }
    }
    Value::Object(target)
}

#[apply(every_database)]
fn random_patches_equal_a_reference_merge() {
    let service = service();
    let parcel = with_tags(&service, &json!(null));
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut expected = Value::Null;
    for _ in 0..200 {
        let patch = some_json().new_tree(&mut runner).unwrap().current();
        // A replaced value of another kind begins anew, so most patches are objects.
        assert_no_content(&service.patch(&parcel, &json!({"tags": patch})));
        expected = merge_patch(expected, &patch);
        assert_eq!(
            same(&service.read(&parcel)["tags"]),
            same(&expected),
            "{patch}"
        );
    }
}

/// JSON in which zero has no sign, as it is stored.
fn same(json: &Value) -> String {
    json.to_string().replace("-0.0", "0.0")
}

fn concurrent_patches_lose_none(service: &Service, repeats: usize) {
    let parcel = with_tags(service, &json!({"shared": {}}));
    let unavailable = AtomicUsize::new(0);
    thread::scope(|scope| {
        for client in 0..32 {
            let (parcel, unavailable) = (&parcel, &unavailable);
            scope.spawn(move || {
                for round in 0..repeats {
                    let member = format!("m{client}");
                    let patch = json!({"tags": {member.clone(): round, "shared": {member: round}}});
                    // A conflict that outlasts all attempts is told, and changes nothing.
                    while let answer = service.patch(parcel, &patch)
                        && answer.status != 204
                    {
                        assert_error(&answer, 503, 10090);
                        unavailable.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    println!("{} answers were 503", unavailable.into_inner());
    let tags = &service.read(&parcel)["tags"];
    for client in 0..32 {
        let member = format!("m{client}");
        assert_eq!(tags[&member], repeats - 1);
        assert_eq!(tags["shared"][&member], repeats - 1);
    }
}

#[apply(every_database)]
fn concurrent_patches_of_different_members_lose_none() {
    responses_differ("the clients run in no fixed order");
    concurrent_patches_lose_none(&service(), 5);
}

#[apply(every_database)]
fn value_that_is_there_again_is_a_conflict_and_no_refusal() {
    responses_differ("the clients run in no fixed order");
    let service = service();
    let parcel = with_tags(&service, &json!({}));
    thread::scope(|scope| {
        for client in 0..16 {
            let (service, parcel) = (&service, &parcel);
            scope.spawn(move || {
                for _ in 0..10 {
                    let value = if client % 2 == 0 {
                        json!(1)
                    } else {
                        json!(null)
                    };
                    let answer = service.patch(parcel, &json!({"tags": {"a": value}}));
                    if answer.status != 204 {
                        assert_error(&answer, 503, 10090);
                    }
                }
            });
        }
    });
}

#[apply(every_database)]
fn concurrent_patches_with_hooks_lose_none() {
    responses_differ("the clients run in no fixed order");
    concurrent_patches_lose_none(&service_with(Spy::default()), 2);
}

#[test]
fn json_that_another_program_stored_is_merged_as_it_is_read() {
    let database = TestDatabase::default();
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Parcel>().build(database)
    });
    let parcel = with_tags(&service, &json!({"a": 1}));
    database
        .other_program()
        .execute("UPDATE parcels SET tags = ' { \"b\" : 1e2, \"a\":[ ] } '");
    assert_no_content(&service.patch(&parcel, &json!({"tags": {"c": 0}})));
    assert_eq!(
        service.read(&parcel)["tags"],
        json!({"a": [], "b": 100.0, "c": 0})
    );
}

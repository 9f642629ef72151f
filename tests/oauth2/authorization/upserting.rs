//! `PUT` of an item that may be missing: what it takes, and what it tells of the items of others.

use resource_runtime::{ApiBuilder, ApiResource};
use resource_tests::{
    Answer, apply, assert_created, assert_error, assert_no_content, every_database,
};
use serde_json::{Value, json};

use super::guarded_service::{Guarded, Guest, told};

/// A label under a code that its owner chooses.
#[derive(ApiResource)]
#[resource(name = "Label", url = "/labels", version = "1.0")]
#[resource(operations(list, create, retrieve, update, delete, upsert))]
#[resource(
    scopes(read = "read", create = "create", update = "update", delete = "delete"),
    owner(field = "author", bypass = "admin")
)]
struct Label {
    #[resource(primary_key, assigned, max_length = 20)]
    code: String,
    #[resource(max_length = 20)]
    author: String,
    text: String,
}

const LABELS: &str = "/api/1.0/labels";
const ALL: &str = "read create update delete";

const NO_CONDITION: Option<(&str, &str)> = None;
const ABSENT: Option<(&str, &str)> = Some(("if-none-match", "*"));
const EXISTING: Option<(&str, &str)> = Some(("if-match", "*"));

fn labels() -> Guarded {
    Guarded::serve(ApiBuilder::resource::<Label>)
}

fn put(guest: &Guest<'_>, code: &str, condition: Option<(&str, &str)>, body: &Value) -> Answer {
    let request = guest.request("PUT", &format!("{LABELS}/{code}"));
    let request = match condition {
        Some((name, value)) => request.header(name, value),
        None => request,
    };
    request.json(body.to_string()).send()
}

#[apply(every_database)]
fn upserts_of_the_items_of_others_answer_as_the_table_says() {
    let guarded = labels();
    let (ann, eve) = (guarded.user("ann", ALL), guarded.user("eve", ALL));
    let text = json!({"text": "of Ann"});
    assert_created(&put(&ann, "A", NO_CONDITION, &text));
    let path = format!("{LABELS}/A");
    let tag = ann.get(&path).header("etag").unwrap().to_owned();
    let mine = json!({"text": "of Eve"});
    assert_created(&put(&eve, "E", ABSENT, &mine));
    // An own item and a foreign one exist alike.
    let exists = put(&eve, "A", ABSENT, &mine);
    assert_error(&exists, 412, 10040).naming(&["exists already"]);
    assert_eq!(
        told(&exists, "A"),
        told(&put(&eve, "E", ABSENT, &mine), "E")
    );
    // Without a condition a foreign item is told as by POST.
    for body in [
        &mine,
        &json!({"text": "of Ann"}),
        &json!({"text": "x", "code": "A"}),
    ] {
        let taken = put(&eve, "A", NO_CONDITION, body);
        assert_error(&taken, 400, 10030).naming(&["`code`"]);
        let posted = eve.post(LABELS, &json!({"text": "x", "code": "A"}));
        assert_eq!(taken.text(), posted.text());
        assert_eq!(taken.header("etag"), None);
    }
    // With one, it is as missing as any, whatever the body says.
    for condition in [
        EXISTING,
        Some(("if-match", &*tag)),
        Some(("if-match", "\"d0\"")),
    ] {
        for body in [&mine, &json!({}), &json!({"txt": 1})] {
            let [foreign, unknown] = ["A", "Z"].map(|code| put(&eve, code, condition, body));
            assert_error(&foreign, 404, 10001);
            assert_eq!(told(&foreign, "A"), told(&unknown, "Z"), "{body}");
        }
    }
    assert_error(
        &put(&eve, "A", NO_CONDITION, &json!({"txt": 1})),
        400,
        10010,
    );
    let still = json!({"code": "A", "author": "ann", "text": "of Ann"});
    assert_eq!(ann.read(&path), still);
    // A caller who bypasses owners writes the item as its owner does, and creates none that belongs to nobody.
    let root = guarded.user("root", &format!("{ALL} admin"));
    assert_error(&put(&root, "A", ABSENT, &mine), 412, 10040);
    assert_no_content(&put(&root, "A", NO_CONDITION, &json!({"text": "by root"})));
    let whole = json!({"text": "x", "author": "eve"});
    assert_created(&put(&root, "N", NO_CONDITION, &whole));
    assert_eq!(ann.read(&path)["author"], "ann");
    assert_eq!(eve.read(&format!("{LABELS}/N"))["author"], "eve");
}

#[apply(every_database)]
fn an_upsert_takes_the_scopes_of_what_it_may_do() {
    let guarded = labels();
    let text = json!({"text": "a"});
    let owner = guarded.user("ann", ALL);
    for (scopes, condition, unknown, own) in [
        ("create", ABSENT, 201, 412),
        ("create", NO_CONDITION, 403, 403),
        ("create", EXISTING, 403, 403),
        ("update", ABSENT, 403, 403),
        ("update", NO_CONDITION, 403, 403),
        ("update", EXISTING, 404, 204),
        ("create update", ABSENT, 201, 412),
        ("create update", NO_CONDITION, 201, 204),
        ("create update", EXISTING, 404, 204),
        ("read delete", ABSENT, 403, 403),
        ("read delete", NO_CONDITION, 403, 403),
    ] {
        let guest = guarded.user("ann", scopes);
        owner.request("DELETE", &format!("{LABELS}/new")).send();
        put(&owner, "own", NO_CONDITION, &text);
        for (code, expected) in [("new", unknown), ("own", own)] {
            let answer = put(&guest, code, condition, &text);
            assert_eq!(answer.status, expected, "{scopes}, {condition:?}, {code}");
        }
        // A refusal for want of a scope tells nothing of the item.
        if unknown == 403 {
            let [new, own] =
                ["new", "own"].map(|code| told(&put(&guest, code, condition, &text), code));
            assert_eq!(new, own);
        }
    }
    let stranger = guarded.stranger();
    for condition in [ABSENT, NO_CONDITION, EXISTING] {
        assert_error(&put(&stranger, "own", condition, &text), 401, 12100);
    }
}

//! Attributes with `read_scope` or `write_scope`: hidden from callers without the scope.

use resource_runtime::{ApiBuilder, ApiResource};
use resource_tests::{apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

use super::guarded_service::{EVERYTHING, Guarded};

const DRAFTS: &str = "/api/1.0/drafts";

#[apply(every_database)]
fn attribute_is_absent_without_its_read_scope() {
    let guarded = Guarded::start();
    let (ann, auditor) = (
        guarded.owner("ann"),
        guarded.user("ann", &format!("{EVERYTHING} audit")),
    );
    let path = ann.create(DRAFTS, &json!({"text": "a", "remark": "secret"}));
    let shown = auditor.read(&path);
    assert_eq!(shown["remark"], "secret");
    assert!(shown.get("address").is_some());
    let hidden = ann.read(&path);
    assert!(hidden.get("remark").is_none() && hidden.get("address").is_none());
    let page = ann.read(DRAFTS);
    assert_eq!(page["items"][0], hidden);
    assert_eq!(auditor.read(DRAFTS)["items"][0], shown);
}

#[apply(every_database)]
fn attribute_without_its_read_scope_is_reported_as_undeclared() {
    let guarded = Guarded::start();
    let ann = guarded.owner("ann");
    ann.create(DRAFTS, &json!({"text": "a", "remark": "secret"}));
    for (query, code) in [
        ("filter=like(_,\"s%25\")", 10060),
        ("filter=eq(_,null)", 10060),
        ("filter=not(in(_,[\"secret\"]))", 10060),
        ("order=asc(_)", 10061),
        ("fields=_", 10062),
        ("fields=id,_", 10062),
    ] {
        for path in [DRAFTS, "/api/1.0/drafts/1"] {
            if path != DRAFTS && !query.starts_with("fields") {
                continue;
            }
            let ask = |name: &str| ann.get(&format!("{path}?{}", query.replace('_', name)));
            let (hidden, unknown) = (ask("remark"), ask("remork"));
            assert_error(&hidden, 400, code);
            let unknown = unknown.text().replace("remork", "remark");
            assert_eq!(hidden.text(), unknown, "{query}");
            assert!(!unknown.contains("did you mean"), "{unknown}");
        }
    }
    let auditor = guarded.user("ann", &format!("{EVERYTHING} audit"));
    assert_eq!(auditor.finds(DRAFTS, "filter=like(remark,\"s%25\")"), 1);
    assert_eq!(auditor.finds(DRAFTS, "order=asc(remark)&fields=remark"), 1);
}

#[apply(every_database)]
fn hidden_attribute_of_a_subresource_is_reported_as_undeclared() {
    let guarded = Guarded::start();
    let (ann, admin) = (guarded.owner("ann"), guarded.admin());
    admin.create("/api/1.0/places", &json!({"name": "x", "secret": "s"}));
    ann.create(DRAFTS, &json!({"text": "a", "place_id": 1}));
    for (query, code) in [
        ("filter=eq(place._,\"s\")", 10060),
        ("order=desc(place._)", 10061),
        ("fields=place(_)", 10062),
    ] {
        let ask = |name: &str| ann.get(&format!("{DRAFTS}?{}", query.replace('_', name)));
        let (hidden, unknown) = (ask("secret"), ask("sacret"));
        assert_error(&hidden, 400, code);
        assert_eq!(hidden.text(), unknown.text().replace("sacret", "secret"));
    }
    let place = ann.read("/api/1.0/drafts/1?fields=place");
    assert_eq!(place, json!({"place": {"id": 1, "name": "x"}}));
    let place = admin.read("/api/1.0/drafts/1?fields=place");
    assert_eq!(place["place"]["secret"], "s");
}

#[apply(every_database)]
fn public_resource_may_have_read_scope_attributes() {
    let guarded = Guarded::start();
    let writer = guarded.user("ann", "settings.write");
    let body = json!({"name": "theme", "changed_by": "ann"});
    let path = writer.create("/api/1.0/settings", &body);
    let stranger = guarded.stranger();
    assert_eq!(stranger.read(&path), json!({"id": 1, "name": "theme"}));
    let filter = stranger.get("/api/1.0/settings?filter=eq(changed_by,\"ann\")");
    assert_error(&filter, 400, 10060);
    let auditor = guarded.user("ann", "audit");
    assert_eq!(auditor.read(&path)["changed_by"], "ann");
}

#[apply(every_database)]
fn errors_of_bodies_do_not_reveal_hidden_attributes() {
    let guarded = Guarded::start();
    let ann = guarded.owner("ann");
    let hidden = ann.post(DRAFTS, &json!({"text": "a", "address": "x"}));
    let unknown = ann.post(DRAFTS, &json!({"text": "a", "addrass": "x"}));
    assert_error(&hidden, 400, 10010).naming(&["`address` is not an attribute of Draft"]);
    assert_eq!(hidden.text(), unknown.text().replace("addrass", "address"));
    let suggested = ann.post(DRAFTS, &json!({"text": "a", "remarks": "x"}));
    assert_error(&suggested, 400, 10010).without("did you mean");
    let auditor = guarded.user("ann", &format!("{EVERYTHING} audit"));
    let read_only = auditor.post(DRAFTS, &json!({"text": "a", "address": "x"}));
    assert_error(&read_only, 400, 10010).naming(&["`address` is read-only"]);
}

/// A paper whose verdict only auditors read and write.
#[derive(ApiResource)]
#[resource(name = "Paper", url = "/papers", version = "1.0")]
#[resource(scopes(read = "read", write = "write"))]
struct Paper {
    id: i64,
    title: String,
    #[resource(read_scope = "audit", write_scope = "audit")]
    verdict: Option<i64>,
}

#[apply(every_database)]
fn hidden_attribute_in_a_body_is_reported_as_undeclared() {
    let guarded = Guarded::serve(ApiBuilder::resource::<Paper>);
    let (ann, judge) = (
        guarded.user("ann", "read write"),
        guarded.user("judge", "read write audit"),
    );
    let path = ann.create("/api/1.0/papers", &json!({"title": "x"}));
    for value in [json!(1), json!("x"), json!(null), json!([1])] {
        for title in [json!("x"), json!(null), json!(1)] {
            let body = |name: &str| -> Value { json!({"title": title, name: value}) };
            let ask = |name: &str| {
                let created = ann.post("/api/1.0/papers", &body(name));
                (created, ann.put(&path, &body(name)))
            };
            let (hidden, unknown) = (ask("verdict"), ask("verdixt"));
            for (hidden, unknown) in [(&hidden.0, &unknown.0), (&hidden.1, &unknown.1)] {
                let told = assert_error(hidden, 400, 10010);
                told.naming(&["`verdict` is not an attribute of Paper"]);
                let unknown = unknown.text().replace("verdixt", "verdict");
                assert_eq!(hidden.text(), unknown, "{value} {title}");
            }
        }
    }
    assert_no_content(&judge.put(&path, &json!({"verdict": 1})));
    assert_eq!(judge.read(&path)["verdict"], 1);
    let misread = judge.put(&path, &json!({"verdict": "x"}));
    assert_error(&misread, 400, 10010)
        .naming(&["`verdict` must be"])
        .in_lines(1);
}

#[apply(every_database)]
fn attribute_is_written_only_with_its_write_scope() {
    let guarded = Guarded::start();
    let ann = guarded.owner("ann");
    for value in [json!(true), json!(false), json!(null), json!("x")] {
        let answer = ann.post(DRAFTS, &json!({"text": "a", "locked": value, "nothing": 1}));
        assert_error(&answer, 403, 12110).naming(&["`locked`", "`lock`"]);
        let challenge = answer.header("www-authenticate").unwrap();
        // Includes the scope of the operation: a token with the scope of the field alone would not suffice.
        let expected = "Bearer error=\"insufficient_scope\", scope=\"drafts.write lock\"";
        assert!(challenge.starts_with(expected), "{challenge}");
    }
    let path = ann.create(DRAFTS, &json!({"text": "a"}));
    assert_eq!(ann.read(&path)["locked"], false);
    assert_error(&ann.put(&path, &json!({"locked": true})), 403, 12110);
    assert_error(
        &ann.put("/api/2.0/drafts/1", &json!({"locked": true})),
        403,
        12110,
    );
    assert_eq!(ann.read(&path)["locked"], false);
    let locker = guarded.user("ann", &format!("{EVERYTHING} lock"));
    assert_no_content(&locker.put(&path, &json!({"locked": true})));
    assert_eq!(ann.read(&path)["locked"], true);
    assert_error(
        &locker.put("/api/1.0/drafts/7", &json!({"locked": true})),
        404,
        10001,
    );
}

//! Entity tags by caller: equal of one row, and none for those who may not read it.

use resource_runtime::{ApiBuilder, ApiResource};
use resource_tests::{Answer, apply, assert_error, every_database, responses_differ};
use serde_json::json;

use super::guarded_service::{Guarded, Guest};

/// A note of its author, of which auditors see more.
#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(
    scopes(read = "read", write = "write"),
    owner(field = "author", bypass = "admin")
)]
struct Note {
    id: i64,
    #[resource(max_length = 20)]
    author: String,
    text: String,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
    #[resource(revision)]
    revision: i64,
}

/// A remark, whose tags are digests.
#[derive(ApiResource)]
#[resource(name = "Remark", url = "/remarks", version = "1.0")]
#[resource(
    scopes(read = "read", write = "write"),
    owner(field = "author", bypass = "admin")
)]
struct Remark {
    id: i64,
    #[resource(max_length = 20)]
    author: String,
    text: String,
}

fn row(answer: &Answer) -> String {
    let tag = answer.header("etag").expect("a tag").trim_matches('"');
    tag.split('.').next().unwrap().to_owned()
}

fn put(guest: &Guest<'_>, path: &str, tag: &str) -> Answer {
    let request = guest.request("PUT", path).header("if-match", tag);
    request.json(json!({"text": "b"}).to_string()).send()
}

#[apply(every_database)]
fn tags_tell_callers_nothing_but_the_state_of_what_they_read() {
    responses_differ("revisions are random");
    let guarded = Guarded::serve(|builder| builder.resource::<Note>().resource::<Remark>());
    let ann = guarded.user("ann", "read write");
    let (auditor, writer) = (
        guarded.user("ann", "read write audit"),
        guarded.user("ann", "write"),
    );
    let eve = guarded.user("eve", "read write");
    for collection in ["/api/1.0/notes", "/api/1.0/remarks"] {
        let created = ann.post(collection, &json!({"text": "a"}));
        let path = created.header("location").unwrap();
        let shown = ann.get(path);
        assert_eq!(row(&created), row(&shown));
        let whole = auditor.get(path);
        assert_eq!(row(&whole), row(&shown));
        let is_note = collection.ends_with("notes");
        assert_eq!(
            whole.header("etag") == shown.header("etag"),
            !is_note,
            "the form differs"
        );
        let tag = format!("\"{}\"", row(&created));
        // A caller who reads nothing learns no tag, and has none that matches.
        let blind = writer.post(collection, &json!({"text": "a"}));
        assert_eq!((blind.status, blind.header("etag")), (201, None));
        assert_error(&put(&writer, path, &tag), 412, 10040);
        assert_error(&put(&writer, path, "\"r1\""), 412, 10040);
        let changed = put(&writer, path, "*");
        assert_eq!((changed.status, changed.header("etag")), (204, None));
        // A foreign item is as missing as any, whatever tag is sent.
        let now = format!("\"{}\"", row(&ann.get(path)));
        for tag in ["*", &tag, &now] {
            assert_error(&put(&eve, path, tag), 404, 10001);
            let request = eve.request("GET", path).header("if-none-match", tag);
            assert_error(&request.send(), 404, 10001);
            assert_error(
                &eve.request("DELETE", path).header("if-match", tag).send(),
                404,
                10001,
            );
        }
        assert_error(&put(&ann, path, &tag), 412, 10040);
        assert_eq!(put(&ann, path, &now).status, 204);
    }
}

#[apply(every_database)]
fn other_scopes_of_a_caller_end_a_304_and_not_a_match() {
    responses_differ("revisions are random");
    let guarded = Guarded::serve(ApiBuilder::resource::<Note>);
    let scopes = ["read write", "read write audit"];
    let [plain, auditor] = scopes.map(|scopes| guarded.user("ann", scopes));
    let path = auditor.create("/api/1.0/notes", &json!({"text": "a", "remark": "r"}));
    for (before, after) in [(&plain, &auditor), (&auditor, &plain)] {
        for query in ["", "?fields=id,text"] {
            let path = format!("{path}{query}");
            let known = before.get(&path).header("etag").unwrap().to_owned();
            let again = |guest: &Guest<'_>| {
                let request = guest.request("GET", &path);
                request.header("if-none-match", &known).send()
            };
            assert_eq!(again(before).status, 304);
            // Attributes that both are shown are known to both.
            let other = again(after);
            let expected = if query.is_empty() { 200 } else { 304 };
            assert_eq!(
                (other.status, row(&other)),
                (expected, row(&before.get(&path)))
            );
        }
        let known = before.get(&path).header("etag").unwrap().to_owned();
        assert_eq!(put(after, &path, &known).status, 204);
        assert_error(&put(after, &path, &known), 412, 10040);
    }
}

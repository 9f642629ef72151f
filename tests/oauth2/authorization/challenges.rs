//! Responses to callers who may use an operation, but not for these attributes or this owner.

use resource_runtime::{ApiBuilder, ApiResource};
use resource_tests::{Answer, apply, assert_created, assert_error, every_database};
use serde_json::json;

use super::guarded_service::{EVERYTHING, Guarded};

const DRAFTS: &str = "/api/1.0/drafts";

#[derive(ApiResource)]
#[resource(name = "Entry", url = "/entries", version = "1.0", public)]
struct Entry {
    id: i64,
    text: String,
    #[resource(write_scope = "moderate", default = false)]
    pinned: bool,
}

#[derive(ApiResource)]
#[resource(name = "Diary", url = "/diaries", version = "1.0", scopes)]
#[resource(owner(field = "writer"))]
struct Diary {
    id: i64,
    #[resource(max_length = 20)]
    writer: String,
}

#[derive(ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
#[resource(operations(retrieve, create, update, upsert))]
#[resource(scopes(read = "read", create = "add", update = "change"))]
struct Country {
    #[resource(primary_key, assigned, max_length = 4)]
    code: String,
    #[resource(write_scope = "moderate", default = false)]
    pinned: bool,
}

#[track_caller]
fn assert_challenge(answer: &Answer, beginning: &str) {
    let challenge = answer.header("www-authenticate").expect("one challenge");
    let expected = format!("{beginning}, resource_metadata=");
    assert!(challenge.starts_with(&expected), "{challenge}");
}

#[apply(every_database)]
fn write_scope_attribute_without_a_token_is_401() {
    let guarded = Guarded::serve(ApiBuilder::resource::<Entry>);
    let (stranger, ann) = (guarded.stranger(), guarded.user("ann", "read"));
    let path = stranger.create("/api/1.0/entries", &json!({"text": "x"}));
    let pinned = json!({"text": "y", "pinned": true});
    for answer in [
        stranger.post("/api/1.0/entries", &pinned),
        stranger.put(&path, &pinned),
    ] {
        assert_error(&answer, 401, 12100).naming(&["`pinned`", "token", "`moderate`"]);
        assert_challenge(&answer, "Bearer realm=\"drafts\", scope=\"moderate\"");
    }
    let answer = ann.put(&path, &pinned);
    assert_error(&answer, 403, 12110).naming(&["`pinned`", "`moderate`"]);
    let expected = "Bearer error=\"insufficient_scope\", scope=\"moderate\"";
    assert_challenge(&answer, expected);
    assert_eq!(stranger.read(&path)["pinned"], false);
}

#[apply(every_database)]
fn missing_field_scope_is_challenged_with_all_scopes_of_the_write() {
    let guarded = Guarded::start();
    let body = json!({"text": "x", "locked": true});
    let ann = guarded.user("ann", "drafts.write");
    let answer = ann.post(DRAFTS, &body);
    assert_error(&answer, 403, 12110).naming(&["`locked`", "`lock`"]);
    let expected = "Bearer error=\"insufficient_scope\", scope=\"drafts.write lock\"";
    assert_challenge(&answer, expected);
    let path = ann.create(DRAFTS, &json!({"text": "x"}));
    assert_challenge(&ann.put(&path, &body), expected);
}

#[apply(every_database)]
fn an_upsert_is_challenged_with_the_scopes_of_both_writes() {
    let guarded = Guarded::serve(ApiBuilder::resource::<Country>);
    let (path, body) = ("/api/1.0/countries/IT", json!({"pinned": true}));
    let answer = guarded.stranger().put(path, &body);
    assert_challenge(&answer, "Bearer realm=\"drafts\", scope=\"add change\"");
    for (scopes, needed) in [
        ("read", "add change"),
        ("add moderate", "add change"),
        ("change moderate", "add change"),
        ("add change", "add change moderate"),
    ] {
        let answer = guarded.user("ann", scopes).put(path, &body);
        assert_error(&answer, 403, 12110);
        let expected = format!("Bearer error=\"insufficient_scope\", scope=\"{needed}\"");
        assert_challenge(&answer, &expected);
    }
    // A request that names the state of an item creates none.
    let change = |scopes| {
        let request = guarded.user("ann", scopes).request("PUT", path);
        let request = request.header("if-match", "*");
        request.json(body.to_string()).send()
    };
    let expected = "Bearer error=\"insufficient_scope\", scope=\"change\"";
    assert_challenge(&change("add"), expected);
    assert_error(&change("change moderate"), 404, 10001);
    let all = guarded.user("ann", "read add change moderate");
    assert_created(&all.put(path, &body));
}

#[apply(every_database)]
fn client_without_a_user_is_challenged_with_the_bypass_scope() {
    let guarded = Guarded::start();
    let answer = guarded
        .client(EVERYTHING)
        .post(DRAFTS, &json!({"text": "x"}));
    assert_error(&answer, 403, 12110).naming(&["no user"]);
    let expected = "Bearer error=\"insufficient_scope\", scope=\"admin drafts.write\"";
    assert_challenge(&answer, expected);
    let guarded = Guarded::serve(ApiBuilder::resource::<Diary>);
    let client = guarded.client("diary.read diary.write");
    let answer = client.post("/api/1.0/diaries", &json!({}));
    assert_error(&answer, 403, 12110).naming(&["no user"]);
    assert_eq!(answer.header("www-authenticate"), None);
}

#[apply(every_database)]
fn user_name_too_long_for_the_owner_attribute_is_403() {
    let guarded = Guarded::start();
    let long = "x".repeat(21);
    let answer = guarded.owner(&long).post(DRAFTS, &json!({"text": "x"}));
    assert_error(&answer, 403, 12110)
        .naming(&["no user whom the Draft"])
        .without("author");
    let fits = "x".repeat(20);
    guarded.owner(&fits).create(DRAFTS, &json!({"text": "x"}));
    assert_eq!(guarded.owner(&long).finds(DRAFTS, ""), 0);
    let free = guarded.user(&long, &format!("{EVERYTHING} admin"));
    let answer = free.post(DRAFTS, &json!({"text": "x"}));
    assert_error(&answer, 400, 10010).naming(&["`author` is required"]);
    free.create(DRAFTS, &json!({"text": "x", "author": "ann"}));
}

/// The path of a resource follows the well-known segment (RFC 9728, section 3.1).
#[apply(every_database)]
fn metadata_url_precedes_the_path_of_the_base_url() {
    for (base, root, path) in [
        ("https://h", "/api", "/api"),
        ("https://h/app", "/api", "/app/api"),
        ("https://h:8443/app/", "", "/app"),
        ("https://h", "", ""),
    ] {
        let guarded = Guarded::serve(|builder| {
            let builder = builder.base_url(base).root(root);
            builder.resource::<Diary>()
        });
        let answer = guarded.stranger().get(&format!("{root}/1.0/diaries"));
        let origin = base.split("/app").next().unwrap();
        let expected = format!("{origin}/.well-known/oauth-protected-resource{path}");
        let challenge = answer.header("www-authenticate").expect("one challenge");
        let metadata = format!("resource_metadata=\"{expected}\"");
        assert!(challenge.ends_with(&metadata), "{challenge}");
    }
}

//! Admission: accepted requests, responses to refused ones, and the order of the checks.

use resource_runtime::Api;
use resource_tests::{
    Answer, Service, apply, assert_error, assert_no_content, block_on, every_database, raw,
};
use serde_json::json;

use super::guarded_service::{Guarded, Guest};
use super::models::Setting;
use crate::issuer::FakeIssuer;
use crate::signer::Signer;

const METADATA: &str =
    "resource_metadata=\"https://api.example.com/.well-known/oauth-protected-resource/api\"";

#[track_caller]
fn challenge(answer: &Answer) -> &str {
    answer.header("www-authenticate").expect("one challenge")
}

#[apply(every_database)]
fn missing_token_is_401_with_the_required_scope() {
    let guarded = Guarded::start();
    for (method, path, scope) in [
        ("GET", "/api/1.0/drafts", "drafts.read"),
        ("GET", "/api/1.0/drafts/1", "drafts.read"),
        ("HEAD", "/api/1.0/drafts/1", "drafts.read"),
        ("POST", "/api/1.0/drafts", "drafts.write"),
        ("PUT", "/api/latest/drafts/1", "drafts.write"),
        ("DELETE", "/api/1.0/drafts/1", "drafts.read drafts.write"),
    ] {
        let answer = guarded.stranger().request(method, path).send();
        assert_eq!(answer.status, 401, "{method}");
        let expected = format!("Bearer realm=\"drafts\", scope=\"{scope}\", {METADATA}");
        assert_eq!(challenge(&answer), expected, "{method}");
        if method != "HEAD" {
            assert_error(&answer, 401, 12100).naming(&["access token"]);
        }
    }
}

#[apply(every_database)]
fn other_authentication_scheme_is_401() {
    let guarded = Guarded::start();
    let request = guarded.stranger().request("GET", "/api/1.0/drafts");
    let answer = request.header("authorization", "Basic YTpi").send();
    assert_error(&answer, 401, 12100);
    assert!(challenge(&answer).starts_with("Bearer realm="));
}

#[apply(every_database)]
fn malformed_or_repeated_authorization_is_400_12120() {
    let guarded = Guarded::start();
    let answer = guarded.with_token("a b").get("/api/1.0/drafts");
    assert_error(&answer, 400, 12120);
    let expected = format!("Bearer error=\"invalid_request\", {METADATA}");
    assert_eq!(challenge(&answer), expected);
    let twice = raw::send(
        guarded.service.address(),
        &[
            "GET /api/1.0/settings HTTP/1.1",
            "Host: service",
            "Authorization: Bearer a",
            "Authorization: Bearer a",
        ],
        b"",
    );
    assert_error(&twice, 400, 12120);
}

#[apply(every_database)]
fn invalid_token_is_401_on_public_operations_too() {
    let guarded = Guarded::start();
    let expired = guarded.token(&json!({"sub": "ann", "scope": "drafts.read", "exp": 1}));
    for token in ["a.b.c", "opaque", &expired] {
        for path in ["/api/1.0/drafts", "/api/1.0/settings"] {
            let answer = guarded.with_token(token).get(path);
            assert_error(&answer, 401, 12100).naming(&["invalid, expired or revoked"]);
            assert!(challenge(&answer).starts_with("Bearer error=\"invalid_token\", "));
            assert!(challenge(&answer).ends_with(METADATA));
        }
    }
}

#[apply(every_database)]
fn missing_scope_is_403_with_the_required_scope() {
    let guarded = Guarded::start();
    let reader = guarded.user("ann", "drafts.read");
    let answer = reader.post("/api/1.0/drafts", &json!({}));
    assert_error(&answer, 403, 12110).naming(&["`drafts.write`"]);
    let expected =
        format!("Bearer error=\"insufficient_scope\", scope=\"drafts.write\", {METADATA}");
    assert_eq!(challenge(&answer), expected);
    let both = reader.delete("/api/1.0/drafts/1");
    assert_error(&both, 403, 12110).naming(&["`drafts.read` and `drafts.write`"]);
    let foreign = guarded.user("ann", "folders.read drafts.readers");
    assert_error(&foreign.get("/api/1.0/drafts"), 403, 12110);
    assert_error(&guarded.user("ann", "").get("/api/1.0/drafts"), 403, 12110);
}

#[apply(every_database)]
fn public_operations_need_no_token() {
    let guarded = Guarded::start();
    let path = guarded
        .user("ann", "settings.write")
        .create("/api/1.0/settings", &json!({"name": "theme"}));
    let expected = json!({"id": 1, "name": "theme"});
    assert_eq!(guarded.stranger().read(&path), expected);
    assert_eq!(guarded.user("ann", "").read(&path), expected);
    let page = guarded.stranger().read("/api/latest/settings");
    assert_eq!(page, json!({"items": [expected], "totalItems": 1}));
    let write = guarded.stranger().delete(&path);
    assert_error(&write, 401, 12100);
}

#[apply(every_database)]
fn unknown_routes_are_reported_before_the_token_is_checked() {
    let guarded = Guarded::start();
    let stranger = guarded.stranger();
    assert_error(&stranger.get("/api/1.0/nothing"), 404, 10000);
    assert_error(&stranger.get("/api/9.0/drafts"), 404, 10000);
    let other = stranger.request("PATCH", "/api/1.0/drafts").send();
    assert_error(&other, 405, 10070);
    let options = stranger.request("OPTIONS", "/api/1.0/drafts").send();
    assert_no_content(&options);
    assert_eq!(options.methods(), ["GET", "HEAD", "POST"]);
    assert_eq!(stranger.get("/api/1.0").status, 200);
    assert_eq!(stranger.get("/errors/12100").status, 200);
}

/// Errors of a request are reported in this order: token, scope, form, item.
#[apply(every_database)]
fn token_is_checked_before_scope_and_scope_before_the_rest() {
    let guarded = Guarded::start();
    let none = guarded.stranger();
    let wrong = guarded.user("ann", "folders.read");
    let right = guarded.user("ann", "drafts.read drafts.write");
    let collection = "/api/1.0/drafts?filter=eq(nothing,1)&limit=x";
    let item = "/api/1.0/drafts/x?fields=nothing";
    for (method, path, body, status, code) in [
        ("GET", collection, "", 400, 10060),
        ("GET", item, "", 404, 10001),
        ("POST", "/api/1.0/drafts", "[", 400, 10050),
        ("PUT", item, "[", 404, 10001),
        ("DELETE", item, "", 404, 10001),
    ] {
        let send = |guest: &Guest<'_>| guest.request(method, path).json(body).send();
        assert_error(&send(&none), 401, 12100);
        assert_error(&send(&wrong), 403, 12110);
        let told = send(&right);
        let code = if path == collection { 10063 } else { code };
        assert_error(&told, status, code);
    }
    let unacceptable = |guest: &Guest<'_>| {
        let request = guest.request("GET", "/api/1.0/drafts");
        request.header("accept", "image/png").send()
    };
    assert_error(&unacceptable(&none), 401, 12100);
    assert_error(&unacceptable(&right), 406, 10071);
}

#[apply(every_database)]
fn method_override_headers_are_ignored() {
    let guarded = Guarded::start();
    let reader = guarded.user("ann", "drafts.read");
    let writer = guarded.user("ann", "drafts.read drafts.write");
    let path = writer.create("/api/1.0/drafts", &json!({"text": "x"}));
    for name in [
        "x-http-method-override",
        "x-http-method",
        "x-method-override",
    ] {
        for method in ["DELETE", "PUT"] {
            let asked = reader.request("GET", &path).header(name, method).send();
            assert_eq!(asked.status, 200, "{name}");
            let posted = reader.request("POST", "/api/1.0/drafts");
            let posted = posted.header(name, "GET").json("{}").send();
            assert_error(&posted, 403, 12110);
        }
    }
    assert_eq!(reader.read(&path)["text"], "x");
}

/// The body of a refused request is not read.
#[apply(every_database)]
fn oversized_body_without_a_token_is_401() {
    let guarded = Guarded::start();
    let request = guarded.stranger().request("POST", "/api/1.0/drafts");
    let answer = request.json(vec![b' '; 2 << 20]).send();
    assert_error(&answer, 401, 12100);
}

#[apply(every_database)]
fn responses_are_no_store_and_vary_by_authorization() {
    let guarded = Guarded::start();
    let (ann, stranger) = (guarded.owner("ann"), guarded.stranger());
    let draft = json!({"text": "a"});
    let created = ann.post("/api/1.0/drafts", &draft);
    let answers = [
        stranger.get("/api/1.0/drafts"),
        stranger.get("/api/1.0/settings"),
        stranger.get("/api/1.0/nothing"),
        ann.get("/api/1.0/drafts"),
        ann.get("/api/1.0/drafts/7"),
        ann.put(created.header("location").unwrap(), &draft),
        ann.delete(created.header("location").unwrap()),
        created,
    ];
    for answer in answers {
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("vary"), Some("Accept, Authorization"));
    }
}

#[apply(every_database)]
fn unreachable_issuer_is_503_with_retry_after() {
    let signer = Signer::es256("first");
    let issuer = FakeIssuer::silent();
    let settings = issuer.settings().issuer(issuer.trusted()).lazy();
    let verifier = block_on(settings.build()).unwrap();
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Setting>().authorization(verifier);
        builder.build(database)
    });
    let token = format!("Bearer {}", signer.sign(&issuer.claims()));
    let ask = |method| service.request(method, "/api/1.0/settings");
    let answer = ask("GET").header("authorization", &token).send();
    assert_error(&answer, 503, 10090).naming(&["try again later"]);
    assert!(answer.header("retry-after").is_some());
    assert_eq!(answer.header("www-authenticate"), None);
    assert_eq!(ask("GET").send().status, 200);
    // Without a base URL the metadata have no address.
    let stranger = ask("POST").json("{}").send();
    let expected = "Bearer realm=\"api\", scope=\"settings.write\"";
    assert_eq!(challenge(&stranger), expected);
}

#[apply(every_database)]
fn problem_details_have_the_challenge() {
    let guarded = Guarded::start();
    let request = guarded.stranger().request("GET", "/api/1.0/drafts");
    let answer = request.header("accept", "application/problem+json").send();
    assert_eq!(answer.status, 401);
    assert_eq!(
        answer.header("content-type"),
        Some("application/problem+json")
    );
    assert!(challenge(&answer).starts_with("Bearer realm="));
}

//! The quota hook: asked after authentication, for each operation of a client.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use resource_runtime::{Api, ApiResource, Quota, QuotaRequest};
use resource_tests::{
    InProcessApi, Service, apply, assert_error, every_database, responses_differ, watch,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
struct Note {
    id: i64,
    text: String,
}

const NOTES: &str = "/api/1.0/notes";

#[apply(every_database)]
fn a_caller_without_quota_is_429_10091_before_anything_is_read() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let builder = Api::builder()
        .resource::<Note>()
        .quota(move |request: QuotaRequest| {
            let subject = request
                .context
                .principal()
                .map(|it| it.subject().to_owned());
            let subject = subject.unwrap_or_default();
            let (operation, resource) = (request.operation, request.resource);
            let mut asked = noted.lock().expect("nothing panics under this lock");
            asked.push(format!("{subject} {operation:?} {resource}"));
            async move {
                Ok(match subject.as_str() {
                    "ann" => Quota::Granted,
                    "bob" => Quota::Wait(Duration::from_millis(29_001)),
                    _ => Quota::Wait(Duration::ZERO),
                })
            }
        });
    let api = InProcessApi::new(builder);
    let scopes = "note.read note.write";
    let (ann, bob, eve) = (
        api.as_user("ann", scopes),
        api.as_user("bob", scopes),
        api.as_user("eve", scopes),
    );
    let note = ann.create(NOTES, &json!({"text": "a"}));
    for (client, seconds) in [(&bob, "30"), (&eve, "1")] {
        // A missing item and an invalid body are not reported to them.
        for answer in [
            client.get(NOTES),
            client.get("/api/1.0/notes/99"),
            client.post(NOTES, &json!({"text": 1})),
            client.put(&note, &json!({"text": "b"})),
            client.delete(&note),
        ] {
            assert_error(&answer, 429, 10091).naming(&[&format!("in {seconds} s")]);
            assert_eq!(answer.header("retry-after"), Some(seconds));
        }
    }
    assert_eq!(ann.read(&note)["text"], "a");
    // A caller who may not use an operation spends no quota.
    let before = asked.lock().unwrap().len();
    assert_eq!(api.anonymous().get(NOTES).status, 401);
    assert_eq!(api.as_user("bob", "").get(NOTES).status, 403);
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), before);
    assert_eq!(asked[..2], ["ann Create Note", "bob List Note"]);
}

#[apply(every_database)]
fn a_quota_hook_that_fails_is_a_500_with_its_cause_in_the_log() {
    responses_differ("a 500 names its request");
    let service = Service::start(|database| {
        let builder = Api::builder().unprotected().resource::<Note>();
        let builder = builder.hook_timeout(Duration::from_millis(50));
        let builder = builder.quota(async |request: QuotaRequest| {
            if request.context.method() == "GET" {
                return Err("the counters are lost".into());
            }
            std::future::pending().await
        });
        builder.build(database)
    });
    let log = watch::keep();
    assert_eq!(service.get(NOTES).status, 500);
    assert_eq!(service.delete("/api/1.0/notes/1").status, 500);
    let text = log.text();
    for cause in [
        "the quota hook failed: the counters are lost",
        "the quota hook took longer than 50ms",
    ] {
        assert!(text.contains(cause), "{text}");
    }
}

#[apply(every_database)]
fn only_an_api_with_a_quota_describes_429() {
    let document = |builder: resource_runtime::ApiBuilder| {
        let api = InProcessApi::new(builder.resource::<Note>());
        let document = api.openapi("1.0", resource_runtime::OpenApiVersion::V31);
        document.expect("the version is served")
    };
    let with = document(Api::builder().quota(async |_| Ok(Quota::Granted)));
    assert_eq!(with.matches("\"429\"").count(), 6);
    assert!(!document(Api::builder()).contains("\"429\""));
}

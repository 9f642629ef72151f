//! `Prefer: return=…` of writes (RFC 7240): the item in the response, or nothing.

use resource_runtime::{
    Api, ApiResource, HookResult, Item, RequestContext, Validator, WriteContext,
};
use resource_tests::{Answer, Service, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    #[resource(max_length = 20)]
    name: String,
    #[resource(default = 3, default_on_update = 4)]
    plays: i64,
    tags: Option<Value>,
}

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Secret", url = "/secrets", version = "1.0", redacts(text))]
struct Secret {
    id: i64,
    name: String,
    text: String,
    #[resource(write_only)]
    pin: Option<String>,
}

#[derive(Debug, Clone, ApiResource)]
#[resource(
    name = "Vote",
    url = "/votes",
    version = "1.0",
    operations(create, update)
)]
struct Vote {
    id: i64,
    choice: String,
}

struct Redacting;

impl Validator<Secret> for Redacting {
    async fn before_update(
        &self,
        secret: &mut Secret,
        _: &mut WriteContext<'_, Secret>,
    ) -> HookResult {
        secret.name.push('!');
        Ok(())
    }

    fn format(&self, secret: &mut Item<Secret>, _: &RequestContext) {
        secret.clear(Secret::TEXT);
    }
}

const TRACKS: &str = "/api/1.0/tracks";

fn service() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Track>()
            .resource_with::<Secret>(Redacting)
            .resource::<Vote>()
            .build(database)
    })
}

fn preferring(service: &Service, method: &str, path: &str, prefer: &str, body: &Value) -> Answer {
    let form = match method {
        "PATCH" => "application/merge-patch+json",
        _ => "application/json",
    };
    let request = service.request(method, path).header("prefer", prefer);
    request
        .header("content-type", form)
        .body(body.to_string())
        .send()
}

/// Asserts that the response shows the item of this path exactly as `GET` does.
#[track_caller]
fn assert_shown(service: &Service, answer: &Answer, status: u16, path: &str) {
    let read = service.get(path);
    assert_eq!((answer.status, answer.text()), (status, read.text()));
    assert_eq!(answer.header("content-location"), Some(path));
    assert_eq!(
        answer.header("preference-applied"),
        Some("return=representation")
    );
    for name in ["content-type", "etag"] {
        assert_eq!(answer.header(name), read.header(name), "{name}");
    }
}

#[apply(every_database)]
fn a_representation_is_what_get_shows() {
    let service = service();
    let whole = "return=representation";
    let post = preferring(
        &service,
        "POST",
        TRACKS,
        whole,
        &json!({"name": "one", "tags": {"a": 1}}),
    );
    assert_shown(&service, &post, 201, "/api/1.0/tracks/1");
    assert_eq!(post.header("location"), Some("/api/1.0/tracks/1"));
    let put = preferring(
        &service,
        "PUT",
        "/api/1.0/tracks/1?fields=id",
        whole,
        &json!({"name": "two"}),
    );
    assert_shown(&service, &put, 200, "/api/1.0/tracks/1");
    assert_eq!(
        put.json(),
        json!({"id": 1, "name": "two", "plays": 4, "tags": {"a": 1}})
    );
    let patch = json!({"tags": {"b": 2}});
    let patched = preferring(&service, "PATCH", "/api/1.0/tracks/1", whole, &patch);
    assert_shown(&service, &patched, 200, "/api/1.0/tracks/1");
    assert_eq!(patched.json()["tags"], json!({"a": 1, "b": 2}));
    let nothing = preferring(&service, "PUT", "/api/1.0/tracks/1", whole, &json!({}));
    assert_shown(&service, &nothing, 200, "/api/1.0/tracks/1");
    for (path, body, status, code) in [
        ("/api/1.0/tracks/9", json!({}), 404, 10001),
        ("/api/1.0/tracks/1", json!({"name": null}), 400, 10010),
    ] {
        assert_error(
            &preferring(&service, "PUT", path, whole, &body),
            status,
            code,
        );
    }
}

#[apply(every_database)]
fn hooks_and_hidden_attributes_hold_for_representations() {
    let service = service();
    let secret = json!({"name": "n", "text": "t", "pin": "p"});
    let whole = "return=representation";
    let post = preferring(&service, "POST", "/api/1.0/secrets", whole, &secret);
    assert_shown(&service, &post, 201, "/api/1.0/secrets/1");
    let put = preferring(
        &service,
        "PUT",
        "/api/1.0/secrets/1",
        whole,
        &json!({"pin": "q"}),
    );
    assert_shown(&service, &put, 200, "/api/1.0/secrets/1");
    assert_eq!(put.json(), json!({"id": 1, "name": "n!"}));
}

#[apply(every_database)]
fn other_preferences_change_no_answer() {
    let service = service();
    let post = preferring(
        &service,
        "POST",
        TRACKS,
        "Return=\"minimal\", wait=1",
        &json!({"name": "one"}),
    );
    assert_eq!((post.status, post.text()), (201, ""));
    assert_eq!(post.header("preference-applied"), Some("return=minimal"));
    for prefer in ["", "return", "return=all", "handling=strict, respond-async"] {
        let put = preferring(
            &service,
            "PUT",
            "/api/1.0/tracks/1",
            prefer,
            &json!({"name": "two"}),
        );
        assert_no_content(&put);
        assert_eq!(put.header("preference-applied"), None);
    }
    let whole = "return=representation";
    let vote = preferring(
        &service,
        "POST",
        "/api/1.0/votes",
        whole,
        &json!({"choice": "a"}),
    );
    assert_eq!((vote.status, vote.text()), (201, ""));
    assert_eq!(vote.header("preference-applied"), None);
    let path = "/api/1.0/tracks/1";
    assert_no_content(&preferring(&service, "PUT", path, "a=\"", &json!({})));
    assert_eq!(service.read(TRACKS)["totalItems"], 1);
    let picky = service
        .request("PUT", "/api/1.0/tracks/1")
        .header("accept", "text/plain");
    assert_no_content(&picky.header("prefer", whole).json("{}").send());
    let delete = service
        .request("DELETE", "/api/1.0/tracks/1")
        .header("prefer", "a=\"")
        .send();
    assert_no_content(&delete);
}

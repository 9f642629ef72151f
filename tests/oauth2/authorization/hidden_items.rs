//! Items of others: a client cannot tell them from items that do not exist.

use resource_runtime::{ApiResource, HookResult, Messages, Validator, WriteContext};
use resource_tests::{Answer, apply, assert_error, every_database};
use serde_json::json;

use super::guarded_service::{EVERYTHING, Guarded, Guest, told};

const JSON: &str = "application/json";

/// Requests of a client to an item: the method, the content type, and the body.
const ASKED: [(&str, &str, &str); 24] = [
    ("GET", JSON, ""),
    ("HEAD", JSON, ""),
    ("PUT", JSON, "{}"),
    ("PUT", JSON, "{\"text\":\"b\"}"),
    ("PUT", JSON, "{\"text\":\"bad\"}"),
    ("PUT", JSON, "{\"text\":1}"),
    ("PUT", JSON, "{\"text\":null}"),
    ("PUT", JSON, "{\"nothing\":1}"),
    ("PUT", JSON, "{\"id\":7}"),
    ("PUT", JSON, "{\"slug\":\"taken\"}"),
    ("PUT", JSON, "{\"folder_id\":1}"),
    ("PUT", JSON, "{\"folder_id\":99}"),
    ("PUT", JSON, "{\"locked\":true}"),
    ("PUT", JSON, "{\"author\":\"bob\"}"),
    ("PUT", JSON, "{\"a\":1,\"a\":2}"),
    ("PUT", JSON, "["),
    ("PUT", JSON, "[]"),
    ("PUT", JSON, ""),
    ("PUT", "text/plain", "x"),
    ("PUT", "application/x-www-form-urlencoded", "text=b"),
    ("DELETE", JSON, ""),
    ("DELETE", JSON, "["),
    ("DELETE", "text/plain", "x"),
    ("DELETE", JSON, "{\"text\":\"b\"}"),
];

/// A memo that only its author sees, in a folder.
#[derive(ApiResource)]
#[resource(name = "Memo", url = "/memos", version = "1.0")]
#[resource(scopes(read = "drafts.read", write = "drafts.write"))]
#[resource(owner(field = "author", bypass = "admin"))]
struct Memo {
    id: i64,
    author: String,
    text: String,
    #[resource(unique)]
    slug: Option<String>,
    #[resource(references = super::models::Folder)]
    folder_id: Option<i64>,
    #[resource(write_scope = "lock", default = false)]
    locked: bool,
}

/// Refuses the text `bad`; asserts that it is called for items of the caller alone.
struct Censor;

impl Validator<Memo> for Censor {
    async fn validate(
        &self,
        memo: &Memo,
        context: &mut WriteContext<'_, Memo>,
        messages: &mut Messages<Memo>,
    ) -> HookResult {
        let user = context.principal().map(|it| it.subject().to_owned());
        assert_eq!(user.as_deref(), Some(&*memo.author));
        if memo.text == "bad" {
            messages.about(Memo::TEXT, "is bad");
        }
        Ok(())
    }
}

fn send(guest: &Guest<'_>, accept: &str, path: &str, ask: (&str, &str, &str)) -> Answer {
    let (method, content_type, body) = ask;
    let request = guest.request(method, path).header("accept", accept);
    let request = request.header("content-type", content_type);
    request.body(body).send()
}

/// Asserts equal responses for item 1, of another owner, and item 2, which does not exist.
fn assert_indistinguishable(guarded: &Guarded, collection: &str) {
    let bob = guarded.owner("bob");
    for accept in [JSON, "application/problem+json"] {
        for ask in ASKED {
            let [foreign, absent] =
                ["1", "2"].map(|id| send(&bob, accept, &format!("{collection}/{id}"), ask));
            assert_eq!(told(&foreign, "1"), told(&absent, "2"), "{ask:?}");
            assert_eq!(foreign.status, 404, "{ask:?}");
            if accept == JSON && ask.0 != "HEAD" {
                assert_error(&foreign, 404, 10001);
            }
        }
        let large = vec![b' '; 2 << 20];
        let [foreign, absent] = ["1", "2"].map(|id| {
            let request = bob.request("PUT", &format!("{collection}/{id}"));
            let mut answer = request.header("accept", accept).json(large.clone()).send();
            // The header depends on how much of the body had arrived.
            answer.headers.remove("connection");
            told(&answer, id)
        });
        assert_eq!(foreign, absent);
        assert!(foreign.starts_with("404 "), "{foreign}");
    }
    let path = format!("{collection}/1");
    assert_eq!(guarded.owner("ann").read(&path)["text"], "a");
}

#[apply(every_database)]
fn items_of_others_are_404_for_every_request() {
    let guarded = Guarded::start();
    let ann = guarded.owner("ann");
    ann.create("/api/1.0/folders", &json!({"title": "x"}));
    ann.create("/api/1.0/drafts", &json!({"text": "a"}));
    for version in ["1.0", "2.0", "latest"] {
        assert_indistinguishable(&guarded, &format!("/api/{version}/drafts"));
    }
}

#[apply(every_database)]
fn items_of_others_are_404_before_any_validator() {
    let guarded = Guarded::serve(|builder| {
        let builder = builder.resource::<super::models::Folder>();
        builder.resource_with::<Memo>(Censor)
    });
    let ann = guarded.owner("ann");
    ann.create("/api/1.0/folders", &json!({"title": "x"}));
    let body = json!({"text": "a", "slug": "taken", "folder_id": 1});
    ann.create("/api/1.0/memos", &body);
    assert_indistinguishable(&guarded, "/api/1.0/memos");
}

#[apply(every_database)]
fn refused_creation_does_not_reveal_foreign_references() {
    let guarded = Guarded::serve(|builder| {
        let builder = builder.resource::<super::models::Folder>();
        builder.resource_with::<Memo>(Censor)
    });
    guarded
        .owner("ann")
        .create("/api/1.0/folders", &json!({"title": "x"}));
    let bob = guarded.user("bob", EVERYTHING);
    for accept in [JSON, "application/problem+json"] {
        for text in ["b", "bad"] {
            let [foreign, absent] = [1, 2].map(|folder| {
                let body = json!({"text": text, "folder_id": folder}).to_string();
                let answer = send(&bob, accept, "/api/1.0/memos", ("POST", JSON, &body));
                assert_eq!(answer.status, 400);
                told(&answer, "-")
            });
            assert_eq!(foreign, absent);
        }
    }
    assert_eq!(bob.finds("/api/1.0/memos", ""), 0);
}

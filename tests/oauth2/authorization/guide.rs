//! The guides to OAuth 2: the table of responses is true, and the tests that the threats name exist.

use std::fs;
use std::path::Path;

use resource_oauth2::Authorization;
use resource_runtime::ApiResource;
use resource_tests::{Answer, Service, apply, block_on, every_database};
use serde_json::json;

use super::guarded_service::{Guarded, Guest};
use crate::issuer::FakeIssuer;
use crate::signer::Signer;

const GUIDE: &str =
    include_str!("../../../extensions/resource-authorization-server/docs/protecting.md");
const THREATS: &str =
    include_str!("../../../extensions/resource-authorization-server/docs/threats.md");

const BASE: &str = "https://notes.example.com";

/// The notes of the guide.
#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(scopes(read = "notes.read", write = "notes.write"))]
#[resource(owner(field = "owner_id", claim = "sub", bypass = "notes.admin"))]
pub(super) struct Note {
    pub(super) id: i64,
    #[resource(max_length = 100)]
    pub(super) owner_id: String,
    #[resource(max_length = 120)]
    pub(super) title: String,
    #[resource(references = Note)]
    pub(super) answers_id: Option<i64>,
    #[resource(read_scope = "notes.audit", read_only)]
    pub(super) last_address: Option<String>,
    #[resource(write_scope = "notes.admin", default = false)]
    pub(super) is_locked: bool,
}

/// A row of the table: the situation, and the status, code and challenge of the response.
#[derive(Debug)]
struct Row<'guide> {
    situation: &'guide str,
    told: [&'guide str; 3],
}

fn rows() -> Vec<Row<'static>> {
    let (_, table) = GUIDE
        .split_once("| request | status | `error_code` | `WWW-Authenticate` |\n")
        .expect("the table of answers");
    let lines = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    lines.map(row).collect()
}

fn row(line: &'static str) -> Row<'static> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, situation, status, code, challenge, _] = cells[..] else {
        panic!("«{line}» has not four cells");
    };
    let told = [status, code, challenge.trim_matches('`')];
    Row { situation, told }
}

/// The responses in a situation; ann owns the first note, with the scopes of the guide.
fn answers(guarded: &Guarded, situation: &str) -> Vec<Answer> {
    let ann = guarded.user("ann", "notes.read notes.write");
    let ben = guarded.user("ben", "notes.read notes.write");
    let (notes, first) = ("/api/1.0/notes", "/api/1.0/notes/1");
    let stranger = guarded.stranger();
    let get = |guest: &Guest<'_>, path: &str| vec![guest.get(path)];
    match situation {
        "no token, or another scheme than `Bearer`" => vec![
            stranger.get(notes),
            stranger.get(first),
            stranger
                .request("GET", notes)
                .header("authorization", "Basic YTpi")
                .send(),
        ],
        "a header `Authorization` that cannot be read, or two" => vec![
            guarded.with_token("a b").get(notes),
            ann.request("GET", notes)
                .header("authorization", "Bearer a")
                .send(),
        ],
        "a token that is forged, expired, revoked or for another service" => vec![
            guarded.with_token("a.b.c").get(notes),
            guarded.bearer(&json!({"sub": "ann", "exp": 1})).get(notes),
            guarded
                .bearer(&json!({"sub": "ann", "aud": "another"}))
                .get(notes),
        ],
        "a valid token without the scope" => {
            let reader = guarded.user("ann", "notes.read");
            vec![reader.post(notes, &json!({})), reader.delete(first)]
        }
        "a body with a field whose `write_scope` the token lacks" => vec![
            ann.post(notes, &json!({"title": "x", "is_locked": true})),
            ann.put(first, &json!({"is_locked": true})),
        ],
        "a new item by a client that acts on its own behalf" => {
            let client = guarded.client("notes.read notes.write");
            vec![client.post(notes, &json!({"title": "x"}))]
        }
        "a filter by a field whose `read_scope` the token lacks" => {
            get(&ann, &format!("{notes}?filter=eq(last_address,null)"))
        }
        "an item of another user, or none" => vec![
            ben.get(first),
            ben.put(first, &json!({"title": "x"})),
            ben.delete(first),
            ben.get("/api/1.0/notes/7"),
        ],
        "a body that refers to an item of another user, or to none" => vec![
            ben.post(notes, &json!({"title": "x", "answers_id": 1})),
            ben.post(notes, &json!({"title": "x", "answers_id": 7})),
        ],
        "a body that names the owner" => {
            vec![ann.post(notes, &json!({"title": "x", "owner_id": "ann"}))]
        }
        "a token while nobody can tell whether it is valid" => vec![unknowable()],
        _ => panic!("«{situation}» is not tried"),
    }
}

/// The response to a caller whose issuer cannot be reached.
fn unknowable() -> Answer {
    let (signer, issuer) = (Signer::es256("first"), FakeIssuer::silent());
    let settings = issuer.settings().issuer(issuer.trusted()).lazy();
    let authorization = Authorization::new(block_on(settings.build()).unwrap());
    let service = Service::start(|database| {
        let builder = resource_runtime::Api::builder().base_url(BASE);
        let builder = builder.resource::<Note>().authorization(authorization);
        builder.build(database)
    });
    let token = signer.sign(&issuer.claims());
    let request = service.request("GET", "/api/1.0/notes");
    let answer = request
        .header("authorization", format!("Bearer {token}"))
        .send();
    assert!(answer.header("retry-after").is_some());
    answer
}

fn told(answer: &Answer) -> [String; 3] {
    let challenge = answer.header("www-authenticate").unwrap_or_default();
    let metadata = format!("{BASE}/.well-known/oauth-protected-resource/api");
    [
        answer.status.to_string(),
        answer.json()["error_code"].to_string(),
        challenge.replace(&metadata, "…"),
    ]
}

#[apply(every_database)]
fn responses_are_those_of_the_table() {
    let guarded = Guarded::serve_as("api", |builder| builder.base_url(BASE).resource::<Note>());
    let ann = guarded.user("ann", "notes.read notes.write");
    ann.create("/api/1.0/notes", &json!({"title": "first"}));
    let rows = rows();
    assert!(rows.len() >= 11, "only {} rows", rows.len());
    for row in rows {
        for answer in answers(&guarded, row.situation) {
            assert_eq!(told(&answer), row.told, "{}", row.situation);
        }
    }
}

/// The files and functions in code spans of the threats.
fn named_tests() -> Vec<(&'static str, &'static str)> {
    let spans = THREATS.split('`').filter(|span| span.contains(".rs::"));
    spans
        .map(|span| span.split_once("::").expect("a function"))
        .collect()
}

#[test]
fn tests_named_by_the_guide_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = named_tests();
    assert!(named.len() >= 50, "only {} tests", named.len());
    for (file, function) in named {
        let text = fs::read_to_string(folder.join(file)).expect(file);
        let begins = format!("]\nfn {function}() {{");
        assert!(text.contains(&begins), "{file} has no test `{function}`");
    }
}

/// Every row of the threats names a test.
#[test]
fn every_threat_has_a_test() {
    let rows = THREATS.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<&str> = rows.filter(|line| !line.ends_with("| tests |")).collect();
    assert!(rows.len() >= 25, "only {} rows", rows.len());
    assert_eq!(THREATS.matches("\n## API").count(), 10);
    for row in rows {
        assert!(row.contains(".rs::"), "{row}");
    }
}

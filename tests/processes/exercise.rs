//! Requests to every collection of a service that cause every response of its OpenAPI document.

use resource_tests::{Answer, Backend, Client, assert_created};
use serde_json::Value;

/// A request and its status: method, path after the collection, a header, a body, the status.
type Exchange = (
    &'static str,
    &'static str,
    (&'static str, &'static str),
    &'static str,
    u16,
);

const PLAIN: (&str, &str) = ("accept", "application/json");
const PICKY: (&str, &str) = ("accept", "text/plain");
pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");
const PATCH: (&str, &str) = ("content-type", "application/merge-patch+json");
const TEXT: (&str, &str) = ("content-type", "text/plain");

/// Requests to a collection with its first item, and their statuses for an authorized client.
const EVERYWHERE: [Exchange; 22] = [
    (
        "GET",
        "?offset=0&limit=5&filter=eq({part},1)&order=desc({part})&fields={part}",
        PLAIN,
        "",
        200,
    ),
    ("GET", "?cursor=start&limit=1", PLAIN, "", 200),
    ("GET", "?cursor=x", PLAIN, "", 400),
    ("GET", "?filter=x", PLAIN, "", 400),
    ("GET", "?order=x", PLAIN, "", 400),
    ("GET", "?fields=x", PLAIN, "", 400),
    ("GET", "?limit=x", PLAIN, "", 400),
    ("GET", "?x=x", PLAIN, "", 400),
    ("GET", "", PICKY, "", 406),
    ("POST", "", JSON, "[]", 400),
    ("POST", "", JSON, r#"{"x": 1}"#, 400),
    ("POST", "", TEXT, "x", 415),
    ("GET", "/{key}?fields={part}", PLAIN, "", 200),
    ("GET", "/{key}?fields=x", PLAIN, "", 400),
    ("GET", "/{key}?x=x", PLAIN, "", 400),
    ("GET", "/{key}", PICKY, "", 406),
    ("GET", "/7777777", PLAIN, "", 404),
    ("PUT", "/{key}", JSON, "[]", 400),
    ("PUT", "/{key}", JSON, r#"{"x": 1}"#, 400),
    ("PUT", "/{key}", TEXT, "x", 415),
    ("PUT", "/7777777", JSON, "{}", 404),
    ("DELETE", "/7777777", PLAIN, "", 404),
];

/// Every operation of a collection: method, and path after the collection.
pub(crate) const OPERATIONS: [(&str, &str); 6] = [
    ("GET", ""),
    ("POST", ""),
    ("GET", "/{key}"),
    ("PUT", "/{key}"),
    ("PATCH", "/{key}"),
    ("DELETE", "/{key}"),
];

/// A client, and the `Authorization` header of its requests.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'here> {
    pub(crate) client: &'here Client,
    pub(crate) authorization: Option<&'here str>,
}

impl Caller<'_> {
    pub(crate) fn send(self, method: &str, path: &str, header: (&str, &str), body: &str) -> Answer {
        self.send_under(None, method, path, header, body)
    }

    /// Sends a request with a condition beside its header.
    pub(crate) fn send_under(
        self,
        condition: Option<(&str, &str)>,
        method: &str,
        path: &str,
        header: (&str, &str),
        body: &str,
    ) -> Answer {
        let request = self.client.request(method, path).header(header.0, header.1);
        let request = match condition {
            Some((name, value)) => request.header(name, value),
            None => request,
        };
        let request = match self.authorization {
            Some(value) => request.header("authorization", value),
            None => request,
        };
        request.body(body).send()
    }

    /// Sends a request for an operation of a collection, with this item as its body where it needs one.
    pub(crate) fn operate(
        self,
        (method, rest): (&str, &str),
        collection: &str,
        item: &Value,
    ) -> Answer {
        let body = match method {
            "POST" | "PUT" | "PATCH" => item.to_string(),
            _ => String::new(),
        };
        self.send(method, &path_of(collection, rest), form(method), &body)
    }

    /// Causes every response of the index of a version.
    pub(crate) fn index(self, path: &str) {
        assert_eq!(self.send("GET", path, PLAIN, "").status, 200);
        assert_eq!(self.send("GET", path, PICKY, "").status, 406);
    }

    /// Creates the first item of a collection and sends the requests of `EVERYWHERE`.
    pub(crate) fn exercise(self, collection: &str, item: &Value) {
        // A service without idempotency keys ignores the key.
        let key = key_of_first(collection);
        let key = Some(("idempotency-key", &*key));
        let created = self.send_under(key, "POST", collection, JSON, &item.to_string());
        let item = path_of(collection, "/{key}");
        assert_eq!(assert_created(&created), item);
        for (method, rest, header, body, status) in EVERYWHERE {
            for method in methods(method) {
                let header = if header == JSON { form(method) } else { header };
                let answer = self.send(method, &path_of(collection, rest), header, body);
                assert_eq!(answer.status, status, "{method} {rest}: {answer:?}");
            }
        }
        for (method, path, condition, status) in [
            ("POST", collection, ("if-match", "*"), 400),
            ("GET", &*item, ("if-none-match", "x"), 400),
            // Items with hidden values have no tags.
            ("GET", &*item, ("if-none-match", "*"), 304),
            ("PUT", &*item, ("if-match", "x"), 400),
            ("PUT", &*item, ("if-match", "\"x\""), 412),
            ("DELETE", &*item, ("if-match", "x"), 400),
            ("DELETE", &*item, ("if-match", "\"x\""), 412),
        ] {
            let body = if method == "PUT" { "{}" } else { "" };
            for method in methods(method) {
                let form = form(method);
                let answer = self.send_under(Some(condition), method, path, form, body);
                let is_hidden =
                    status == 304 && answer.status == 200 && answer.header("etag").is_none();
                assert!(
                    answer.status == status || is_hidden,
                    "{method} {condition:?}: {answer:?}"
                );
            }
        }
        for path in [collection, &item] {
            let answer = self.send("GET", path, PLAIN, "");
            assert_eq!(answer.status, 200, "{path}");
        }
        self.assert_response("PUT", &item, "{}", 204, None);
        for method in methods("PUT") {
            let request = self.client.request(method, &item);
            let (name, value) = form(method);
            let request = request
                .header(name, value)
                .header("prefer", "return=representation");
            let request = match self.authorization {
                Some(value) => request.header("authorization", value),
                None => request,
            };
            assert_eq!(request.body("{}").send().status, 200, "{method}");
        }
    }

    /// Sends a request, a change by both methods, and asserts the status and the error code of its response.
    #[track_caller]
    pub(crate) fn assert_response(
        self,
        method: &str,
        path: &str,
        body: &str,
        status: u16,
        code: Option<u64>,
    ) {
        for method in methods(method) {
            let answer = self.send(method, path, form(method), body);
            assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
            let told = code.map(|_| answer.json()["error_code"].as_u64());
            assert_eq!(told.flatten(), code);
        }
    }
}

/// The idempotency key with which the first item of a collection is created.
pub(crate) fn key_of_first(collection: &str) -> String {
    format!("first-of:{collection}")
}

/// The path of a request: `{key}` is that of the first item of the collection, `{part}` the name of the key attribute
/// or of the first of them.
pub(crate) fn path_of(collection: &str, rest: &str) -> String {
    let (key, part) = match collection {
        "/api/1.0/labels" => ("1,old~20friend", "person_id"),
        _ => ("1", "id"),
    };
    collection.to_owned() + &rest.replace("{key}", key).replace("{part}", part)
}

/// The methods of the same operation, which is answered alike.
fn methods(method: &str) -> Vec<&str> {
    match method {
        "PUT" => vec!["PUT", "PATCH"],
        other => vec![other],
    }
}

/// The header of a body in the form that the method takes.
fn form(method: &str) -> (&'static str, &'static str) {
    if method == "PATCH" { PATCH } else { JSON }
}

/// Returns true for a line that other tests cover, as ordinary requests cannot cause it: bodies over the size
/// limit in `http/body_limit.rs`, invalid HTTP in `http/messages/`, an overloaded service in
/// `http/connections/` and `http/operating/timeouts.rs`.
pub(crate) fn is_covered_elsewhere(line: &str) -> bool {
    let statuses = [" 413", " 414", " 431", " 501", " 503"];
    let codes = [" 10072", " 10075", " 10076", " 10077", " 10078", " 10090"];
    statuses.iter().chain(&codes).any(|end| line.ends_with(end))
}

/// SQL of a trigger that forbids deleting rows of this table, and of its removal.
pub(crate) fn delete_trigger(table: &str) -> [String; 2] {
    match Backend::under_test() {
        Backend::Sqlite => [
            format!(
                "CREATE TRIGGER stay BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"
            ),
            String::from("DROP TRIGGER stay"),
        ],
        Backend::Postgres => [
            format!(
                "CREATE FUNCTION stay_{table}() RETURNS trigger LANGUAGE plpgsql
                     AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
                 CREATE TRIGGER stay BEFORE DELETE ON {table}
                     FOR EACH ROW EXECUTE FUNCTION stay_{table}()"
            ),
            format!("DROP TRIGGER stay ON {table}"),
        ],
    }
}

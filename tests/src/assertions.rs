//! Assertions on responses: errors in the form of the specification, writes, and the promises of every response.

use serde_json::Value;

use crate::Answer;

/// Words of an error that would reveal how the service stores its items.
const SECRETS: [&str; 12] = [
    "SELECT",
    "INSERT",
    "UPDATE ",
    "DELETE FROM",
    "PRAGMA",
    "constraint",
    "sqlite",
    "foreign key",
    "no such table",
    "items.db",
    "/tmp/",
    ".rs:",
];

/// The text of an error, for assertions on its words.
#[derive(Debug)]
pub struct Description(String);

impl Description {
    /// Asserts that every word is in the text.
    #[track_caller]
    pub fn naming(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.0.contains(word), "«{}» does not name «{word}»", self.0);
        }
        self
    }

    /// Asserts that the word is not in the text.
    #[track_caller]
    pub fn without(self, word: &str) -> Self {
        assert!(!self.0.contains(word), "«{}» names «{word}»", self.0);
        self
    }

    /// Asserts that the text has this many lines, one for each problem.
    #[track_caller]
    pub fn in_lines(self, count: usize) -> Self {
        assert_eq!(self.0.lines().count(), count, "«{}»", self.0);
        self
    }
}

/// Asserts that the response is this error, in the form that the specification gives to every error.
#[track_caller]
pub fn assert_error(answer: &Answer, status: u16, code: u16) -> Description {
    assert_eq!(answer.status, status, "{}", answer.text());
    let body = answer.json();
    let members: Vec<&String> = body.as_object().expect("an object").keys().collect();
    assert_eq!(
        members,
        ["error_code", "error_description", "error_details"]
    );
    assert_eq!(body["error_code"], Value::from(code), "{body}");
    assert_details(&body["error_details"], code);
    let description = body["error_description"].as_str().expect("a text");
    assert!(!description.trim().is_empty(), "{body}");
    Description(description.to_owned())
}

#[track_caller]
fn assert_details(details: &Value, code: u16) {
    let url = details.as_str().expect("a URL");
    assert!(
        url.starts_with("http://") || url.starts_with("https://"),
        "{url}"
    );
    assert!(url.ends_with(&format!("/errors/{code}")), "{url}");
}

/// Asserts that the response is 201 without a body; returns its `Location`, which ends in the new id.
#[track_caller]
pub fn assert_created(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(answer.header("content-length"), Some("0"));
    assert_eq!(answer.header("content-type"), None);
    assert!(answer.body.is_empty());
    answer.header("location").expect("a location").to_owned()
}

/// Asserts that the response is 204 without a body.
#[track_caller]
pub fn assert_no_content(answer: &Answer) {
    assert_eq!(answer.status, 204, "{}", answer.text());
    assert!(answer.body.is_empty());
    assert_eq!(answer.header("content-type"), None);
}

/// Asserts the properties of every response: a request id, `nosniff`, one `Vary` and one `Cache-Control`
/// header, and no secrets in a failure.
#[track_caller]
pub(crate) fn assert_promises(answer: &Answer) {
    let name = answer.header("x-request-id").expect("one x-request-id");
    assert!(!name.is_empty());
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let by_accept = answer
        .header("vary")
        .map(|names| names.starts_with("Accept"));
    assert_eq!(by_accept, Some(true), "{answer:?}");
    for name in ["vary", "cache-control"] {
        let told = answer.headers.get_all(name).iter().count();
        assert_eq!(told, 1, "{name}: {answer:?}");
    }
    if answer.status >= 400 {
        assert_discreet(answer);
    }
}

#[track_caller]
fn assert_discreet(answer: &Answer) {
    let text = answer.text().to_lowercase();
    for secret in SECRETS {
        // SQL keywords are looked for in capitals alone: in small letters they are ordinary words of
        // messages.
        let found = if secret.to_uppercase() == secret {
            answer.text().contains(secret)
        } else {
            text.contains(secret)
        };
        assert!(!found, "«{secret}» in {text}");
    }
}

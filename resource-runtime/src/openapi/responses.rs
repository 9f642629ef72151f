//! What an operation answers: every status, and every error code with an example.

use super::form::reference;
use super::json::{Json, Object};
use crate::error::{ErrorCode, help};

/// The error codes of an operation, by status.
#[derive(Debug, Default)]
pub(super) struct Errors(Vec<(u16, ErrorCode)>);

impl Errors {
    pub(super) fn with(mut self, status: u16, codes: &[ErrorCode]) -> Self {
        self.0.extend(codes.iter().map(|code| (status, *code)));
        self
    }

    pub(super) fn with_if(self, holds: bool, status: u16, code: ErrorCode) -> Self {
        if holds {
            self.with(status, &[code])
        } else {
            self
        }
    }

    /// One response for each status, the smallest first.
    pub(super) fn responses(mut self) -> Object {
        self.0
            .sort_by_key(|(status, code)| (*status, code.number()));
        let chunks = self.0.chunk_by(|(one, _), (other, _)| one == other);
        let responses = chunks.filter_map(|chunk| {
            let (status, _) = chunk.first()?;
            let codes: Vec<ErrorCode> = chunk.iter().map(|(_, code)| *code).collect();
            Some((status.to_string(), response(*status, &codes)))
        });
        let failure = ("500".to_owned(), failure());
        let responses = responses.collect::<Vec<_>>().into_iter();
        let (before, after): (Vec<_>, Vec<_>) =
            responses.partition(|(status, _)| status.as_str() < "500");
        let all = before.into_iter().chain([failure]).chain(after);
        all.fold(Object::new(), |object, (status, response)| {
            object.with(status, response)
        })
    }
}

/// An answer without a body.
pub(super) fn empty(description: &'static str, headers: Object) -> Object {
    Object::new()
        .with("description", description)
        .with("headers", request_id().and(headers))
}

/// An answer with a body of this schema.
pub(super) fn json(description: &'static str, schema: &str, example: Object) -> Object {
    let media = Object::new()
        .with("schema", reference(schema))
        .with("example", example);
    empty(description, Object::new()).with("content", Object::new().with("application/json", media))
}

/// The header of a new item.
pub(super) fn location(example: String) -> Object {
    let schema = Object::new()
        .with("type", "string")
        .with("format", "uri-reference");
    let header = Object::new()
        .with("description", "Where the new item is.")
        .with("required", true)
        .with("schema", schema)
        .with("example", example);
    Object::new().with("Location", header)
}

fn request_id() -> Object {
    Object::new().with("x-request-id", header("RequestId"))
}

fn header(name: &str) -> Object {
    Object::new().with("$ref", format!("#/components/headers/{name}"))
}

fn response(status: u16, codes: &[ErrorCode]) -> Object {
    let lines: Vec<String> = codes
        .iter()
        .map(|code| format!("`{}`: {}.", code.number(), code.title()))
        .collect();
    let ours = Object::new()
        .with("schema", reference("Error"))
        .with("examples", examples(codes, error));
    let problem = Object::new()
        .with("schema", reference("Problem"))
        .with("examples", examples(codes, |code| problem(status, code)));
    let content = Object::new()
        .with("application/json", ours)
        .with("application/problem+json", problem);
    Object::new()
        .with("description", lines.join("\n"))
        .with("headers", headers(status, codes))
        .with("content", content)
}

fn headers(status: u16, codes: &[ErrorCode]) -> Object {
    let challenges = [
        ErrorCode::NoValidToken,
        ErrorCode::InsufficientScope,
        ErrorCode::MalformedAuthorization,
    ];
    let challenged = codes.iter().any(|code| challenges.contains(code));
    let challenge = challenged.then(|| header("Challenge"));
    let retry = (status == 503).then(|| header("RetryAfter"));
    request_id()
        .with_some("WWW-Authenticate", challenge)
        .with_some("Retry-After", retry)
}

/// The page of a failure.
fn failure() -> Object {
    let page = Object::new().with("schema", Object::new().with("type", "string"));
    empty(
        "The service failed; the request id stands in its log.",
        Object::new(),
    )
    .with("content", Object::new().with("text/html", page))
}

fn examples(codes: &[ErrorCode], example: impl Fn(ErrorCode) -> Object) -> Object {
    codes.iter().fold(Object::new(), |examples, code| {
        let named = Object::new()
            .with("summary", code.title())
            .with("description", help(*code))
            .with("value", example(*code));
        examples.with(code.number().to_string(), named)
    })
}

fn error(code: ErrorCode) -> Object {
    Object::new()
        .with("error_code", number(code))
        .with("error_description", code.title())
        .with("error_details", details(code))
}

fn problem(status: u16, code: ErrorCode) -> Object {
    Object::new()
        .with("type", details(code))
        .with("title", code.title())
        .with("status", Json::Integer(i64::from(status)))
        .with("detail", code.title())
        .with("error_code", number(code))
        .with("request_id", "301daa61eaa010a7-00000001")
}

fn number(code: ErrorCode) -> Json {
    Json::Integer(i64::from(code.number()))
}

fn details(code: ErrorCode) -> String {
    format!("https://api.example.com/errors/{}", code.number())
}

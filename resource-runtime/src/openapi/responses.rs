//! The responses of an operation: every status, and every error code with an example.

use resource_model::error::ErrorCode;

use super::json::{Json, Object};
use super::spec_version::{OpenApiVersion, reference};

/// The error codes of an operation.
#[derive(Debug, Default)]
pub(super) struct Errors(Vec<ErrorCode>);

impl Errors {
    pub(super) fn with(mut self, codes: impl IntoIterator<Item = ErrorCode>) -> Self {
        self.0.extend(codes);
        self
    }

    /// A response for each status, the smallest first.
    pub(super) fn responses(self, spec: OpenApiVersion) -> Object {
        let status = |code: &ErrorCode| code.status().as_u16();
        // Any request may be invalid HTTP, and its status is one that operations answer with, too.
        let Self(mut codes) = self.with([ErrorCode::NotHttp]);
        // Codes of one status must be neighbours for `chunk_by`.
        codes.sort_by_key(|code| (status(code), code.number()));
        let chunks = codes.chunk_by(|one, other| status(one) == status(other));
        // A status has one response in OpenAPI, which lists all of its codes.
        let refused = chunks.filter_map(|codes| {
            let status = status(codes.first()?);
            Some((status, response(status, codes)))
        });
        // Tools for 3.0 generate one type for all errors of an operation, which an HTML page would not fit.
        let others = (spec == OpenApiVersion::V31).then(|| (500, failure()));
        // Each of these codes has a status of its own, so no status is there twice.
        let others = others.into_iter().chain(of_the_server(spec).map(|code| {
            let path = format!("#/components/responses/{}", error_name(code));
            (status(&code), Object::new().with("$ref", path))
        }));
        // Both kinds are sorted together, because members keep the order in which they are added.
        let mut all: Vec<(u16, Object)> = refused.chain(others).collect();
        all.sort_by_key(|(status, _)| *status);
        let all = all.into_iter();
        // Members of `responses` are named by the status as text.
        all.fold(Object::new(), |object, (status, response)| {
            object.with(status.to_string(), response)
        })
    }
}

/// A response without a body.
pub(super) fn empty(description: &'static str, headers: Object) -> Object {
    // OpenAPI requires a description; a response without a body has no content at all.
    Object::new()
        .with("description", description)
        .with("headers", request_id().and(headers))
}

/// A response with a body of this schema.
pub(super) fn json(
    description: &'static str,
    headers: Object,
    schema: &str,
    example: Object,
) -> Object {
    empty(description, headers).with("content", content("application/json", schema, example))
}

/// The content of a body of this schema.
pub(super) fn content(media_type: &'static str, schema: &str, example: Object) -> Object {
    // A single example is enough for a body; responses of errors have one for each code.
    let media = Object::new()
        .with("schema", reference(schema))
        .with("example", example);
    Object::new().with(media_type, media)
}

/// The header of a new item.
pub(super) fn location(example: String) -> Object {
    // A relative reference is enough for `Location` (RFC 9110, section 10.2.2).
    let schema = Object::of_type("string").with("format", "uri-reference");
    Object::new().with(
        "Location",
        header("Where the new item is.", schema, example),
    )
}

/// The header of a page that is read by cursor.
pub(super) fn links() -> Object {
    let meaning = "The pages beside this one (RFC 8288): `first`; `prev` on pages behind the first; `next`, where the \
                   service knew it before it began to send. Left out where it would be longer than 4 KiB.";
    let link = Object::new()
        .with("description", meaning)
        .with("schema", Object::of_type("string"));
    Object::new().with("Link", link)
}

/// The header of the response to a request that was carried out before.
pub(super) fn replayed() -> Object {
    let meaning =
        "`true` where an earlier request of the same `Idempotency-Key` has created the item.";
    Object::new().with("Idempotent-Replayed", optional(meaning))
}

fn optional(description: &'static str) -> Object {
    Object::new()
        .with("description", description)
        .with("schema", Object::of_type("string"))
}

/// The headers of a response that is as the client prefers it.
pub(super) fn preferred() -> Object {
    Object::new()
        .with(
            "Content-Location",
            optional("The path of the item in the body."),
        )
        .with(
            "Preference-Applied",
            optional("The preference that the response follows."),
        )
}

/// A header that is always there.
pub(super) fn header(
    description: &'static str,
    schema: Object,
    example: impl Into<Json>,
) -> Object {
    Object::new()
        .with("description", description)
        .with("required", true)
        .with("schema", schema)
        .with("example", example)
}

fn request_id() -> Object {
    Object::new().with("x-request-id", shared_header("RequestId"))
}

pub(super) fn shared_header(name: &str) -> Object {
    Object::new().with("$ref", format!("#/components/headers/{name}"))
}

fn response(status: u16, codes: &[ErrorCode]) -> Object {
    // The description lists the codes, by which clients tell errors of one status apart.
    let line = |code: &ErrorCode| format!("`{}`: {}.", code.number(), code.title());
    let lines: Vec<String> = codes.iter().map(line).collect();
    let media = |schema, name| {
        let examples = examples(codes, name);
        Object::new()
            .with("schema", reference(schema))
            .with("examples", examples)
    };
    let content = Object::new()
        // The client chooses one of the two forms by its header `Accept`.
        .with("application/json", media("Error", error_name))
        .with("application/problem+json", media("Problem", problem_name));
    Object::new()
        .with("description", lines.join("\n"))
        .with("headers", headers(status, codes))
        .with("content", content)
}

fn headers(status: u16, codes: &[ErrorCode]) -> Object {
    let about_tokens = [
        ErrorCode::NoValidToken,
        ErrorCode::InsufficientScope,
        ErrorCode::MalformedAuthorization,
    ];
    // A status has one response in the document, so the header is described if any of its codes has it.
    let challenged = codes.iter().any(|code| about_tokens.contains(code));
    let challenge = challenged.then(|| shared_header("Challenge"));
    // These tell when to try again; other errors stay as they are until the request changes.
    let retry = matches!(status, 429 | 503).then(|| shared_header("RetryAfter"));
    request_id()
        .with_some("WWW-Authenticate", challenge)
        .with_some("Retry-After", retry)
}

/// The responses that all operations share.
pub(super) fn shared(spec: OpenApiVersion) -> Object {
    // Each of these responses is written once, and referred to by every operation.
    of_the_server(spec).fold(Object::new(), |shared, code| {
        let status = code.status().as_u16();
        shared.with(error_name(code), response(status, &[code]))
    })
}

/// The error codes of the server itself, which documents in 3.0 leave out.
fn of_the_server(spec: OpenApiVersion) -> impl Iterator<Item = ErrorCode> {
    let all = ErrorCode::OF_THE_SERVER.into_iter();
    all.filter(move |_| spec == OpenApiVersion::V31)
}

/// The response with the page of a failure.
fn failure() -> Object {
    let example = "<!DOCTYPE html>\n<title>Internal error</title>\n…";
    let page = Object::new()
        .with("schema", Object::of_type("string"))
        .with("example", example);
    let meaning = "The service failed; the request id stands in its log.";
    empty(meaning, Object::new()).with("content", Object::new().with("text/html", page))
}

fn examples(codes: &[ErrorCode], name: fn(ErrorCode) -> String) -> Object {
    // Examples are components, because many operations have the same errors.
    codes.iter().fold(Object::new(), |examples, code| {
        let path = format!("#/components/examples/{}", name(*code));
        let example = Object::new().with("$ref", path);
        examples.with(code.number().to_string(), example)
    })
}

/// An example of each error, for the components.
pub(super) fn examples_of_errors(codes: &[ErrorCode]) -> Object {
    codes.iter().fold(Object::new(), |examples, &code| {
        examples
            .with(error_name(code), example(code, error(code)))
            .with(problem_name(code), example(code, problem(code)))
    })
}

fn error_name(code: ErrorCode) -> String {
    format!("Error{}", code.number())
}

fn problem_name(code: ErrorCode) -> String {
    format!("Problem{}", code.number())
}

fn example(code: ErrorCode, value: Object) -> Object {
    Object::new()
        .with("summary", code.title())
        .with("description", code.entry().help)
        .with("value", value)
}

fn error(code: ErrorCode) -> Object {
    Object::new()
        .with("error_code", code.number())
        .with("error_description", code.title())
        .with("error_details", details(code))
}

fn problem(code: ErrorCode) -> Object {
    // The members are those of problem details (RFC 9457, section 3.1), with two of our own.
    Object::new()
        .with("type", details(code))
        .with("title", code.title())
        .with("status", code.status().as_u16())
        // A real detail names what is wrong in the request; here only the title is known.
        .with("detail", code.title())
        .with("error_code", code.number())
        .with("request_id", "301daa61eaa010a7-00000001")
}

fn details(code: ErrorCode) -> String {
    format!("https://api.example.com/errors/{}", code.number())
}

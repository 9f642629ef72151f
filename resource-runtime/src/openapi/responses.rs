//! The responses of an operation: every status, and every error code with an example.

use resource_model::error::ErrorCode;

use super::json::{Json, Object, object};
use super::parameters::TAG;
use super::spec_version::{OpenApiVersion, component, reference};
use crate::http::extract::MERGE_PATCH;

const REQUEST_ID: &str = "301daa61eaa010a7-00000001";

const PAGES: &str = "The pages beside this one (RFC 8288): `first`; `prev` on pages behind the first; `next`, where the \
                     service knew it before it began to send. Left out where it would be longer than 4 KiB.";

const SUCCESSOR: &str = "Of a deprecated version: the one to use, `successor-version` (RFC 5829), and the page that tells \
                         more, `deprecation`. Of a page that is read by `cursor`: those beside it, `first`, `prev` and \
                         `next`.";

/// The headers of responses by their names, of which a document keeps those that it refers to.
pub(super) fn shared_headers(is_deprecated: bool) -> Object {
    let text = |meaning, example: &'static str| header(meaning, Object::of_type("string"), example);
    // `Retry-After` is a number of seconds here, never a date (RFC 9110, section 10.2.3).
    let seconds = object! { "type": "integer", "minimum": Json::Integer(0) };
    let meaning = "After how many seconds to try again.";
    let retry = header(meaning, seconds, Json::Integer(1)).with("required", true);
    object! {
        "x-request-id": text("What the service calls the request, also in its log.", REQUEST_ID).with("required", true),
        "ETag": text("Which state of the item this is, for `If-Match` and `If-None-Match`.", TAG),
        "Link": text(
            if is_deprecated { SUCCESSOR } else { PAGES },
            "</api/1.0/settings?cursor=start>; rel=\"first\"",
        ),
        "Deprecation": text("The moment from which on clients should use something else (RFC 9745).", "@1798761600"),
        "Sunset": text("The moment from which on this may be gone (RFC 8594).", "Thu, 01 Jul 2027 00:00:00 GMT"),
        "Content-Location": text("The path of the item in the body.", "/api/1.0/settings/1"),
        "Preference-Applied": text("The preference that the response follows.", "return=representation"),
        "Idempotent-Replayed": text(
            "`true` where an earlier request of the same `Idempotency-Key` has created the item.", "true"
        ),
        "Accept-Patch": text("The media type of patches (RFC 5789).", MERGE_PATCH),
        "Retry-After": retry,
        // Not always there: a status may also have codes without a challenge.
        "WWW-Authenticate": text(
            "What a token must permit (RFC 6750).", "Bearer realm=\"api\", scope=\"settings.read\""
        ),
    }
}

/// A header of a response.
pub(super) fn header(meaning: &'static str, schema: Object, example: impl Into<Json>) -> Object {
    object! { "description": meaning, "schema": schema, "example": example }
}

/// The header that every response has, those that are told to be there, and those of a deprecated version.
pub(super) fn headers<const N: usize>(
    is_deprecated: bool,
    names: [(&'static str, bool); N],
) -> Object {
    let of_deprecated = ["Deprecation", "Sunset", "Link"].map(|name| (name, is_deprecated));
    let names = [("x-request-id", true)].into_iter().chain(names);
    let names = names.chain(of_deprecated);
    let names = names.filter(|(_, is_there)| *is_there);
    names
        .map(|(name, _)| (name, component("headers", name)))
        .collect()
}

/// A response with these headers and this content; without content it has no body.
pub(super) fn response(words: impl Into<Json>, headers: Object, content: Option<Object>) -> Object {
    object! { "description": words, "headers": headers, "content": content }
}

/// The content of a body of this schema.
pub(super) fn content(media: &'static str, schema: Object, example: impl Into<Json>) -> Object {
    // A single example is enough for a body; responses of errors have one for each code.
    object! { media: object! { "schema": schema, "example": example } }
}

/// A response for each status of these error codes, and those that every request may have, the smallest status first.
pub(super) fn refusals(
    spec: OpenApiVersion,
    method: &str,
    is_deprecated: bool,
    mut codes: Vec<ErrorCode>,
) -> Object {
    let status = |code: &ErrorCode| code.status().as_u16();
    // Codes of one status must be neighbours for `chunk_by`.
    codes.sort_by_key(|code| (status(code), code.number()));
    let chunks = codes.chunk_by(|one, other| status(one) == status(other));
    // A status has one response in OpenAPI, which lists all of its codes.
    let refused = chunks.filter_map(|codes| {
        let status = status(codes.first()?);
        Some((status, refusal(status, method, is_deprecated, codes)))
    });
    // Each of these responses is written once, and each has a status of its own.
    let shared = of_all(spec, is_deprecated)
        .into_iter()
        .map(|(status, name, _)| (status, component("responses", &name)));
    // Both kinds are sorted together, because members keep the order in which they are added.
    let mut all: Vec<(u16, Object)> = refused.chain(shared).collect();
    all.sort_by_key(|(status, _)| *status);
    // Members of `responses` are named by the status as text.
    all.into_iter()
        .map(|(status, response)| (status.to_string(), response))
        .collect()
}

fn refusal(status: u16, method: &str, is_deprecated: bool, codes: &[ErrorCode]) -> Object {
    // The description lists the codes, by which clients tell errors of one status apart.
    let line = |code: &ErrorCode| format!("`{}`: {}.", code.number(), code.title());
    let lines: Vec<String> = codes.iter().map(line).collect();
    let media =
        |schema, name| object! { "schema": reference(schema), "examples": examples(codes, name) };
    let content = object! {
        // The client chooses one of the two forms by its header `Accept`.
        "application/json": media("Error", error_name),
        "application/problem+json": media("Problem", problem_name),
    };
    // A status has one response in the document, so the header is described if any of its codes has it.
    let is_challenged = codes.iter().any(|code| ABOUT_TOKENS.contains(code));
    let headers = headers(
        is_deprecated,
        [
            ("WWW-Authenticate", is_challenged),
            // These tell when to try again; other errors stay as they are until the request changes.
            ("Retry-After", matches!(status, 429 | 503)),
            ("Accept-Patch", status == 415 && method == "PATCH"),
        ],
    );
    response(lines.join("\n"), headers, Some(content))
}

const ABOUT_TOKENS: [ErrorCode; 3] = [
    ErrorCode::NoValidToken,
    ErrorCode::InsufficientScope,
    ErrorCode::MalformedAuthorization,
];

/// The responses that all operations share, by their names.
pub(super) fn shared(spec: OpenApiVersion, is_deprecated: bool) -> Object {
    of_all(spec, is_deprecated)
        .into_iter()
        .map(|(_, name, response)| (name, response))
        .collect()
}

/// The responses that every request may have, each with its status and its name. Documents in 3.0 have none: tools for
/// it generate one type for all errors of an operation, which an HTML page would not fit.
fn of_all(spec: OpenApiVersion, is_deprecated: bool) -> Vec<(u16, String, Object)> {
    if spec == OpenApiVersion::V30 {
        return Vec::new();
    }
    let of_the_server = ErrorCode::OF_THE_SERVER.into_iter().map(|code| {
        let status = code.status().as_u16();
        let refused = refusal(status, "", is_deprecated, &[code]);
        (status, error_name(code), refused)
    });
    let example = "<!DOCTYPE html>\n<title>Internal error</title>\n…";
    let page = content("text/html", Object::of_type("string"), example);
    let meaning = "The service failed; the request id stands in its log.";
    let failure = response(meaning, headers(is_deprecated, []), Some(page));
    of_the_server
        .chain([(500, "Failure".to_owned(), failure)])
        .collect()
}

fn examples(codes: &[ErrorCode], name: fn(ErrorCode) -> String) -> Object {
    // Examples are components, because many operations have the same errors.
    let example = |code: &ErrorCode| component("examples", &name(*code));
    let codes = codes.iter();
    codes
        .map(|code| (code.number().to_string(), example(code)))
        .collect()
}

/// An example of each error, for the components.
pub(super) fn examples_of_errors(codes: &[ErrorCode]) -> Object {
    let examples = codes.iter().flat_map(|&code| {
        [
            (error_name(code), example(code, error(code))),
            (problem_name(code), example(code, problem(code))),
        ]
    });
    examples.collect()
}

fn error_name(code: ErrorCode) -> String {
    format!("Error{}", code.number())
}

fn problem_name(code: ErrorCode) -> String {
    format!("Problem{}", code.number())
}

fn example(code: ErrorCode, value: Object) -> Object {
    object! { "summary": code.title(), "description": code.entry().help, "value": value }
}

fn error(code: ErrorCode) -> Object {
    object! {
        "error_code": code.number(),
        "error_description": code.title(),
        "error_details": details(code),
    }
}

fn problem(code: ErrorCode) -> Object {
    // The members are those of problem details (RFC 9457, section 3.1), with two of our own.
    object! {
        "type": details(code),
        "title": code.title(),
        "status": code.status().as_u16(),
        // A real detail names what is wrong in the request; here only the title is known.
        "detail": code.title(),
        "error_code": code.number(),
        "request_id": REQUEST_ID,
    }
}

fn details(code: ErrorCode) -> String {
    format!("https://api.example.com/errors/{}", code.number())
}

//! The schemas of error responses.

use resource_model::error::ErrorCode;

use super::{lenient, strict, text};
use crate::openapi::json::{Json, Object, object};

/// The schemas of errors: ours, and problem details (RFC 9457).
pub(in crate::openapi) fn schemas(codes: &[ErrorCode]) -> Object {
    object! { "Error": error(codes), "Problem": problem(codes) }
}

fn error(codes: &[ErrorCode]) -> Object {
    // All members are always there, so generated code need not test for them.
    strict(object! {
        "error_code": code(codes),
        "error_description": text("What is wrong, in English."),
        "error_details": link("A page that explains the code."),
    })
}

fn problem(codes: &[ErrorCode]) -> Object {
    let properties = object! {
        "type": link("A page that explains the code."),
        "title": text("The situation in a few words."),
        "status": object! { "type": "integer", "format": "int32" },
        "detail": text("What is wrong, in English."),
        "error_code": code(codes),
        "request_id": text("What the log calls the request."),
        "errors": object! { "type": "array", "items": attribute_problem() },
    };
    // Only problems of attributes list them.
    lenient(properties, &["errors"])
}

fn attribute_problem() -> Object {
    // The pointer leads to the attribute, so that a form can show the message beside its field.
    strict(object! {
        "pointer": text("Where in the body, as a JSON pointer (RFC 6901)."),
        "message": text("What is wrong there."),
    })
}

fn code(codes: &[ErrorCode]) -> Object {
    // The codes are an enumeration, so that generated code can name each of them.
    let codes = codes.iter().map(|code| code.number());
    object! { "type": "integer", "format": "int32", "enum": codes.collect::<Json>() }
}

fn link(description: &'static str) -> Object {
    text(description).with("format", "uri")
}

//! The schemas of error responses.

use resource_model::error::ErrorCode;

use super::{lenient, strict, text};
use crate::openapi::json::{Json, Object, object};
use crate::openapi::spec_version::reference;

/// The schemas of errors: ours, problem details (RFC 9457), and their parts.
pub(in crate::openapi) fn schemas(codes: &[ErrorCode]) -> Object {
    object! {
        "Error": error(),
        "Problem": problem(),
        "FieldError": field_error(),
        "ErrorCode": code(codes),
    }
}

fn error() -> Object {
    // All members are always there, so generated code need not test for them.
    strict(object! {
        "error_code": reference("ErrorCode"),
        "error_description": text("What is wrong, in English."),
        "error_details": link("A page that explains the code."),
    })
}

fn problem() -> Object {
    let properties = object! {
        "type": link("A page that explains the code."),
        "title": text("The situation in a few words."),
        "status": object! { "type": "integer", "format": "int32" },
        "detail": text("What is wrong, in English."),
        "error_code": reference("ErrorCode"),
        "request_id": text("What the log calls the request."),
        "errors": object! { "type": "array", "items": reference("FieldError") },
    };
    // Only problems of attributes list them.
    lenient(properties, &["errors"])
}

fn field_error() -> Object {
    // The pointer leads to the attribute, so that a form can show the message beside its field.
    strict(object! {
        "pointer": text("Where in the body, as a JSON pointer (RFC 6901)."),
        "message": text("What is wrong there."),
    })
}

/// An integer, and no `enum`: generated clients would refuse a code that is added later.
fn code(codes: &[ErrorCode]) -> Object {
    let known = codes.iter();
    let known = known.map(|code| format!("- `{}`: {}", code.number(), code.title()));
    let known = known.collect::<Vec<_>>().join("\n");
    object! {
        "type": "integer",
        "format": "int32",
        "description": format!("The situation, for programs. Others may be added later than these:\n\n{known}"),
        "x-extensible-enum": codes.iter().map(|code| code.number()).collect::<Json>(),
    }
}

fn link(description: &'static str) -> Object {
    text(description).with("format", "uri")
}

//! The schemas of error responses.

use resource_model::error::ErrorCode;

use super::{strict, text};
use crate::openapi::json::{Json, Object};

/// The schemas of errors: ours, and problem details (RFC 9457).
pub(in crate::openapi) fn schemas(codes: &[ErrorCode]) -> Object {
    Object::new()
        .with("Error", error(codes))
        .with("Problem", problem(codes))
}

fn error(codes: &[ErrorCode]) -> Object {
    // All members are always there, so generated code need not test for them.
    let properties = Object::new()
        .with("error_code", code(codes))
        .with("error_description", text("What is wrong, in English."))
        .with("error_details", link("A page that explains the code."));
    strict(
        properties,
        &["error_code", "error_description", "error_details"],
    )
}

fn problem(codes: &[ErrorCode]) -> Object {
    let status = Object::of_type("integer").with("format", "int32");
    let errors = Object::of_type("array").with("items", attribute_problem());
    let properties = Object::new()
        .with("type", link("A page that explains the code."))
        .with("title", text("The situation in a few words."))
        .with("status", status)
        .with("detail", text("What is wrong, in English."))
        .with("error_code", code(codes))
        .with("request_id", text("What the log calls the request."))
        .with("errors", errors);
    // Only problems of attributes list `errors`, so that member is not required.
    let required = [
        "type",
        "title",
        "status",
        "detail",
        "error_code",
        "request_id",
    ];
    strict(properties, &required)
}

fn attribute_problem() -> Object {
    // The pointer leads to the attribute, so that a form can show the message beside its field.
    let pointer = text("Where in the body, as a JSON pointer (RFC 6901).");
    let properties = Object::new()
        .with("pointer", pointer)
        .with("message", text("What is wrong there."));
    strict(properties, &["pointer", "message"])
}

fn code(codes: &[ErrorCode]) -> Object {
    // The codes are an enumeration, so that generated code can name each of them.
    let codes = codes.iter().map(|code| code.number());
    Object::of_type("integer")
        .with("format", "int32")
        .with("enum", codes.collect::<Json>())
}

fn link(description: &'static str) -> Object {
    text(description).with("format", "uri")
}

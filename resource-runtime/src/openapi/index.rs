//! The index of a version's resources, as the document describes it.

use resource_model::error::ErrorCode;

use super::document::Subject;
use super::form::Form;
use super::json::{Json, Object};
use super::responses::{Errors, json};
use super::schemas::strict;

const SCHEMA: &str = "Index";
const TAG: &str = "Index";

/// The path item of the version's index.
pub(super) fn path(form: Form, subject: &Subject<'_>) -> Object {
    let path = format!("{}/{}", subject.root, subject.segment);
    let errors = Errors::default().with(&[ErrorCode::NotAcceptable]);
    let answer = json("The resources.", links(subject), SCHEMA, example(subject));
    let operation = Object::new()
        .with("operationId", "describeApi")
        .with("tags", vec![TAG])
        .with("summary", "The resources of this version")
        .with(
            "description",
            "Each with its name, the segment of its collection's path, and its URL.",
        )
        // The index is public, also where operations need credentials.
        .with_some(
            "security",
            subject.schemes.as_ref().map(|_| Json::Array(Vec::new())),
        )
        .with(
            "responses",
            Object::new()
                .with("200", answer)
                .and(errors.responses(form)),
        );
    Object::new().with(path, Object::new().with("get", operation))
}

/// The header `Link`, which leads to the documents of the version.
fn links(subject: &Subject<'_>) -> Object {
    let prefix = subject.prefix;
    let example = subject.offered.links(prefix, subject.root, subject.segment);
    let header = example.map(|example| {
        Object::new()
            .with("description", "What tells of this version (RFC 8631).")
            .with("required", true)
            .with("schema", Object::new().with("type", "string"))
            .with("example", example)
    });
    Object::new().with_some("Link", header)
}

/// The tag of the operation.
pub(super) fn tag() -> Object {
    Object::new()
        .with("name", TAG)
        .with("description", "What there is.")
}

/// The schema of the answer.
pub(super) fn schema() -> Object {
    let text = |meaning: &'static str| {
        Object::new()
            .with("type", "string")
            .with("description", meaning)
    };
    let properties = Object::new()
        .with("name", text("What one item is called."))
        .with("collection", text("The segment of the collection's path."))
        .with("url", text("The collection.").with("format", "uri"));
    let resource = strict(properties, &["name", "collection", "url"]);
    let resources = Object::new().with("type", "array").with("items", resource);
    let properties = Object::new()
        .with("version", text("As it stands in the paths."))
        .with("resources", resources);
    Object::new().with(SCHEMA, strict(properties, &["version", "resources"]))
}

fn example(subject: &Subject<'_>) -> Object {
    let base = subject.base.unwrap_or("https://api.example.com");
    let resource = |collection: &'static str, name: &'static str| {
        let url = format!("{base}{}/{}/{collection}", subject.root, subject.segment);
        Object::new()
            .with("name", name)
            .with("collection", collection)
            .with("url", url)
    };
    let first = subject.services.first().map(|service| service.definition);
    let resources = first.map(|it| resource(it.collection(), it.name()));
    Object::new()
        .with("version", subject.segment.to_owned())
        .with("resources", Json::from_iter(resources))
}

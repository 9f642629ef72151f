//! The index of a version's resources, as the document describes it.

use resource_model::error::ErrorCode;

use super::document::ApiDescription;
use super::json::{Json, Object};
use super::responses::{Errors, header, json};
use super::schemas::{strict, text};

const SCHEMA: &str = "Index";
const TAG: &str = "Index";

/// The path item of the version's index.
pub(super) fn path(api: &ApiDescription<'_>) -> Object {
    // The index is at the path of the version itself, with no segment behind it.
    let path = format!("{}/{}", api.root, api.segment);
    // The index reads no database and no credentials, so it has hardly any error of its own.
    let errors = Errors::default().with([ErrorCode::NotAcceptable]);
    let response = json("The resources.", links(api), SCHEMA, example(api));
    let responses = Object::new().with("200", response);
    // The index is public, also where operations need credentials.
    let no_credentials = api.schemes.as_ref().map(|_| Json::Array(Vec::new()));
    let meaning = "Each with its name, the segment of its collection's path, and its URL.";
    let operation = Object::new()
        .with("operationId", "describeApi")
        .with("tags", vec![TAG])
        .with("summary", "The resources of this version")
        .with("description", meaning)
        .with_some("security", no_credentials)
        .with("responses", responses.and(errors.responses(api.spec)));
    Object::new().with(path, Object::new().with("get", operation))
}

/// The header `Link`, which leads to the documents of the version.
fn links(api: &ApiDescription<'_>) -> Object {
    let prefix = api.prefix;
    let example = api.offered.links(prefix, api.root, api.segment);
    let meaning = "What tells of this version (RFC 8631).";
    let header = example.map(|example| header(meaning, Object::of_type("string"), example));
    // An API that hides its documents sends no such header.
    Object::new().with_some("Link", header)
}

/// The tag of the operation.
pub(super) fn tag() -> Object {
    Object::new()
        .with("name", TAG)
        .with("description", "What there is.")
}

/// The schema of the response.
pub(super) fn schema() -> Object {
    // All members are required: the index is written by the service, without a choice of fields.
    let properties = Object::new()
        .with("name", text("What one item is called."))
        .with("collection", text("The segment of the collection's path."))
        .with("url", text("The collection.").with("format", "uri"));
    let resource = strict(properties, &["name", "collection", "url"]);
    let resources = Object::of_type("array").with("items", resource);
    // The version is a text, since it may be `latest`.
    let properties = Object::new()
        .with("version", text("As it stands in the paths."))
        .with("resources", resources);
    Object::new().with(SCHEMA, strict(properties, &["version", "resources"]))
}

fn example(api: &ApiDescription<'_>) -> Object {
    // URLs in the index are absolute; without a base URL, their host is only known from a request.
    let base = api.base.unwrap_or("https://api.example.com");
    let resource = |collection: &'static str, name: &'static str| {
        let url = format!("{base}{}/{}/{collection}", api.root, api.segment);
        Object::new()
            .with("name", name)
            .with("collection", collection)
            .with("url", url)
    };
    // One resource shows the form; the whole list is what the operation is for.
    let first = api.services.first().map(|service| service.definition);
    let resources = first.map(|it| resource(it.collection(), it.name()));
    Object::new()
        .with("version", api.segment.to_owned())
        .with("resources", Json::from_iter(resources))
}

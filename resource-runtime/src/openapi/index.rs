//! The index of a version's resources, as the document describes it.

use resource_model::error::ErrorCode;

use super::document::ApiDescription;
use super::json::{Json, Object, object};
use super::responses::{content, header, headers, refusals, response};
use super::schemas::{strict, text};
use super::spec_version::reference;

const NAME: &str = "Index";

/// The path item of the version's index.
pub(super) fn path(api: &ApiDescription<'_>) -> Object {
    // The index is at the path of the version itself, with no segment behind it.
    let path = format!("{}/{}", api.root, api.segment);
    let resources = content("application/json", reference(NAME), example(api));
    let headers = headers(false, []).with("Link", link(api));
    let response = response("The resources.", headers, Some(resources));
    // The index reads no database and no credentials, so it has hardly any error of its own.
    let codes = vec![ErrorCode::NotAcceptable, ErrorCode::NotHttp];
    let refused = refusals(api.spec, "GET", false, codes);
    let responses = object! { "200": response }.and(refused);
    // The index is public, also where operations need credentials.
    let no_credentials = api.schemes.as_ref().map(|_| Json::Array(Vec::new()));
    let meaning = "Each with its name, the segment of its collection's path, and its URL.";
    let operation = object! {
        "operationId": "describeApi",
        "tags": vec![NAME],
        "summary": "The resources of this version",
        "description": meaning,
        "security": no_credentials,
        "responses": responses,
    };
    object! { path: object! { "get": operation } }
}

/// The header `Link`, which leads to the documents of the version. An API that hides its documents sends none.
fn link(api: &ApiDescription<'_>) -> Option<Object> {
    let prefix = api.prefix;
    let example = api.offered.links(prefix, api.root, api.segment);
    let meaning = "What tells of this version (RFC 8631).";
    let header = example.map(|example| header(meaning, Object::of_type("string"), example));
    header.map(|header| header.with("required", true))
}

/// The tag of the operation.
pub(super) fn tag() -> Object {
    object! { "name": NAME, "description": "What there is." }
}

/// The schema of the response.
pub(super) fn schema() -> Object {
    // All members are required: the index is written by the service, without a choice of fields.
    let resource = strict(object! {
        "name": text("What one item is called."),
        "collection": text("The segment of the collection's path."),
        "url": text("The collection.").with("format", "uri"),
    });
    let index = strict(object! {
        // The version is a text, since it may be `latest`.
        "version": text("As it stands in the paths."),
        "resources": object! { "type": "array", "items": resource },
    });
    object! { NAME: index }
}

fn example(api: &ApiDescription<'_>) -> Object {
    // URLs in the index are absolute; without a base URL, their host is only known from a request.
    let base = api.base.unwrap_or("https://api.example.com");
    let resource = |collection: &'static str, name: &'static str| {
        let url = format!("{base}{}/{}/{collection}", api.root, api.segment);
        object! { "name": name, "collection": collection, "url": url }
    };
    // One resource shows the form; the whole list is what the operation is for.
    let first = api.services.first().map(|service| service.definition);
    let resources = first.map(|it| resource(it.collection(), it.name()));
    object! { "version": api.segment.to_owned(), "resources": Json::from_iter(resources) }
}

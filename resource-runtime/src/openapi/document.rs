//! The OpenAPI document of a version, put together from its parts.

use resource_model::error::ErrorCode;
use resource_model::schema::{ResourceDefinition, Table};

use super::about::About;
use super::json::{Json, Object};
use super::parameters::TAG;
use super::referred::referred;
use super::responses::{examples_of_errors, header, shared};
use super::schemas::{of_errors, of_resource, of_targets};
use super::spec_version::OpenApiVersion;
use super::{Additions, index, operations, security};
use crate::authorization::SecurityScheme;
use crate::http::OfferedDocuments;
use crate::operation::Service;

/// The parts of an API that the document of one version describes.
#[derive(Debug)]
pub(crate) struct ApiDescription<'api> {
    pub(crate) spec: OpenApiVersion,
    pub(crate) about: &'api About,
    /// The version segment of the paths.
    pub(crate) segment: &'api str,
    pub(crate) root: &'api str,
    pub(crate) base: Option<&'api str>,
    /// The path that the API is nested under, where that is known.
    pub(crate) prefix: &'api str,
    /// The documents of the version, to which its index links.
    pub(crate) offered: OfferedDocuments,
    pub(crate) services: Vec<&'api Service>,
    /// The tables of all versions together.
    pub(crate) tables: &'api [Table],
    /// All error codes of the API.
    pub(crate) codes: Vec<ErrorCode>,
    pub(crate) additions: &'api Additions,
    pub(crate) schemes: Option<Vec<SecurityScheme>>,
    pub(crate) has_quota: bool,
}

/// A resource of the version.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResourceContext<'api> {
    pub(super) api: &'api ApiDescription<'api>,
    pub(super) service: &'api Service,
}

impl ResourceContext<'_> {
    /// The path of the resource's collection.
    pub(super) fn path(&self) -> String {
        let collection = self.service.definition.collection();
        format!("{}/{}/{collection}", self.api.root, self.api.segment)
    }
}

impl ApiDescription<'_> {
    /// True where items of this definition are at one of the paths.
    pub(super) fn serves(&self, definition: &ResourceDefinition) -> bool {
        let mut definitions = self.services.iter().map(|service| service.definition);
        // A collection alone is not enough: two versions of a resource have the same one.
        let named = |it: &ResourceDefinition| (it.name(), it.version(), it.collection());
        definitions.any(|it| named(it) == named(definition))
    }
}

/// The OpenAPI document of a version.
pub(super) fn document(api: &ApiDescription<'_>) -> Object {
    let services = api.services.iter();
    // Members keep their order, so the index is the first path of the document.
    let paths = services.fold(index::path(api), |paths, service| {
        paths.and(operations::paths(&ResourceContext { api, service }))
    });
    // The paths must be complete: only components that they refer to are kept.
    let components = components(api, &paths);
    // An empty list means that no operation needs credentials; with authorization, each has a list of its own.
    let no_credentials = api.schemes.is_none().then(|| Json::Array(Vec::new()));
    // Members stand as a reader needs them: the API as a whole, its operations, then their parts.
    Object::new()
        .with("openapi", api.spec.version())
        .with("info", api.about.info(api.segment))
        .with("servers", servers(api))
        .with_some("security", no_credentials)
        .with("tags", tags(api))
        .with("paths", paths)
        .with("components", components)
}

fn servers(api: &ApiDescription<'_>) -> Vec<Object> {
    // A relative URL is resolved against the address of the document, wherever clients find that.
    let nested = Some(api.prefix).filter(|prefix| !prefix.is_empty());
    // A base URL is where clients find the service, with all that stands before its paths.
    let url = api.base.or(nested).unwrap_or("/");
    vec![Object::new().with("url", url.to_owned())]
}

fn tags(api: &ApiDescription<'_>) -> Json {
    // Tools group operations by tag, so each resource is one, and the index another.
    let definitions = api.services.iter().map(|service| service.definition);
    let tag = |definition: &ResourceDefinition| {
        let description = Some(definition.meaning()).filter(|text| !text.is_empty());
        Object::new()
            .with("name", definition.name())
            .with_some("description", description)
    };
    definitions.map(tag).chain([index::tag()]).collect()
}

fn components(api: &ApiDescription<'_>, paths: &Object) -> Object {
    // All components are made first, and the selection then keeps those that something refers to.
    let schemas = schemas(api).and(index::schema()).and(of_errors(&api.codes));
    let sections = [
        ("schemas", schemas),
        ("headers", headers(api)),
        ("responses", shared(api.spec)),
        ("examples", examples_of_errors(&api.codes)),
    ];
    // Operations name security schemes without a `$ref`, so these would be lost in the selection.
    referred(paths, &sections).with_some("securitySchemes", security::schemes(api))
}

/// The schemas of all resources, and of the items of others that they show.
fn schemas(api: &ApiDescription<'_>) -> Object {
    let services = api.services.iter();
    let own = services.map(|service| of_resource(service, api));
    own.fold(Object::new(), Object::and).and(of_targets(api))
}

fn headers(api: &ApiDescription<'_>) -> Object {
    // The headers are components, because nearly every response has them.
    let text = || Object::of_type("string");
    let meaning = "What the service calls the request, also in its log.";
    let request_id = header(meaning, text(), "301daa61eaa010a7-00000001");
    // `Retry-After` is a number of seconds here, never a date (RFC 9110, section 10.2.3).
    let seconds = Object::of_type("integer").with("minimum", Json::Integer(0));
    let meaning = "After how many seconds to try again.";
    let retry_after = header(meaning, seconds, Json::Integer(1));
    // Not by `header`, which makes a required one: a status may also have codes without a challenge.
    let challenge = api.schemes.is_some().then(|| {
        Object::new()
            .with("description", "What a token must permit (RFC 6750).")
            .with("schema", text())
            .with("example", "Bearer realm=\"api\", scope=\"settings.read\"")
    });
    let tag = Object::new()
        .with(
            "description",
            "Which state of the item this is, for `If-Match` and `If-None-Match`.",
        )
        .with("schema", text())
        .with("example", TAG);
    Object::new()
        .with("RequestId", request_id)
        .with("ETag", tag)
        .with("RetryAfter", retry_after)
        .with_some("Challenge", challenge)
}

//! The OpenAPI document of a version, put together from its parts.

use resource_model::error::ErrorCode;
use resource_model::schema::{ResourceDefinition, Table};

use super::about::About;
use super::json::{Json, Object, object};
use super::referred::referred;
use super::responses::{examples_of_errors, shared, shared_headers};
use super::schemas::{of_errors, of_resource, of_targets, told};
use super::spec_version::OpenApiVersion;
use super::{Additions, index, operations, security};
use crate::authorization::SecurityScheme;
use crate::http::OfferedDocuments;
use crate::operation::Service;

/// The parts of an API that the document of one version describes.
#[derive(Debug)]
pub(crate) struct ApiDescription<'api> {
    pub(crate) spec: OpenApiVersion,
    /// True for generated clients: without the parameter `fields`, items in responses are complete.
    pub(crate) is_for_clients: bool,
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
    /// The definitions of all versions, of which some share tables.
    pub(crate) definitions: Vec<&'static ResourceDefinition>,
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
    let paths = services.map(|service| operations::paths(&ResourceContext { api, service }));
    // Members keep their order, so the index is the first path of the document.
    let paths = paths.fold(index::path(api), Object::and);
    // The paths must be complete: only components that they refer to are kept.
    let components = components(api, &paths);
    // An empty list means that no operation needs credentials; with authorization, each has a list of its own.
    let no_credentials = api.schemes.is_none().then(|| Json::Array(Vec::new()));
    // Members stand as a reader needs them: the API as a whole, its operations, then their parts.
    object! {
        "openapi": api.spec.version(),
        "info": api.about.info(api.segment),
        "servers": vec![server(api)],
        "security": no_credentials,
        "tags": tags(api),
        "paths": paths,
        "components": components,
    }
}

fn server(api: &ApiDescription<'_>) -> Object {
    // A relative URL is resolved against the address of the document, wherever clients find that.
    let nested = Some(api.prefix).filter(|prefix| !prefix.is_empty());
    // A base URL is where clients find the service, with all that stands before its paths.
    let url = api.base.or(nested).unwrap_or("/");
    object! { "url": url.to_owned() }
}

fn tags(api: &ApiDescription<'_>) -> Json {
    // Tools group operations by tag, so each resource is one, and the index another.
    let definitions = api.services.iter().map(|service| service.definition);
    let tags =
        definitions.map(|it| object! { "name": it.name(), "description": told(it.meaning()) });
    tags.chain([index::tag()]).collect()
}

fn components(api: &ApiDescription<'_>, paths: &Object) -> Object {
    // All components are made first, and the selection then keeps those that something refers to.
    let schemas = schemas(api).and(index::schema()).and(of_errors(&api.codes));
    // Any version may answer with these, a deprecated one among them.
    let mut definitions = api.services.iter().map(|service| service.definition);
    let is_deprecated = definitions.any(|it| it.deprecation().is_some());
    let sections = [
        ("schemas", schemas),
        ("headers", shared_headers(is_deprecated)),
        ("responses", shared(api.spec, is_deprecated)),
        ("examples", examples_of_errors(&api.codes)),
    ];
    // Operations name security schemes without a `$ref`, so these would be lost in the selection.
    referred(paths, &sections).with("securitySchemes", security::schemes(api))
}

/// The schemas of all resources, and of the items of others that they show.
fn schemas(api: &ApiDescription<'_>) -> Object {
    let services = api.services.iter();
    let own = services.map(|service| of_resource(service, api));
    own.fold(Object::new(), Object::and).and(of_targets(api))
}

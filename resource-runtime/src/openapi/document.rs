//! The OpenAPI document of a version, put together from its parts.

use resource_model::schema::{ResourceDefinition, Table};

use super::about::About;
use super::json::{Json, Object};
use super::referred::referred;
use super::responses::{examples_of_errors, header, shared};
use super::schemas::{of_errors, of_resource, of_targets};
use super::spec_version::Form;
use super::{index, operations, security};
use crate::authorization::SecurityScheme;
use crate::http::DocumentLinks;
use crate::operation::Service;

/// A version of an API, as a document is to describe it.
#[derive(Debug)]
pub(crate) struct Subject<'subject> {
    pub(crate) about: &'subject About,
    /// The version segment of the paths.
    pub(crate) segment: &'subject str,
    pub(crate) root: &'subject str,
    pub(crate) base: Option<&'subject str>,
    /// The path that the API is nested under, where that is known.
    pub(crate) prefix: &'subject str,
    /// The documents of the version, to which its index links.
    pub(crate) offered: DocumentLinks,
    pub(crate) services: Vec<&'subject Service>,
    /// The tables of all versions together.
    pub(crate) tables: &'subject [Table],
    pub(crate) schemes: Option<Vec<SecurityScheme>>,
}

/// A resource of the version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Described<'subject> {
    pub(super) subject: &'subject Subject<'subject>,
    pub(super) service: &'subject Service,
}

impl Described<'_> {
    /// The path of the resource's collection.
    pub(super) fn path(&self) -> String {
        let collection = self.service.definition.collection();
        format!(
            "{}/{}/{collection}",
            self.subject.root, self.subject.segment
        )
    }
}

impl Subject<'_> {
    /// True where items of this definition are at one of the paths.
    pub(super) fn serves(&self, definition: &ResourceDefinition) -> bool {
        let mut definitions = self.services.iter().map(|service| service.definition);
        let named = |it: &ResourceDefinition| (it.name(), it.version(), it.collection());
        definitions.any(|it| named(it) == named(definition))
    }
}

/// The OpenAPI document of a version.
pub(super) fn document(form: Form, subject: &Subject<'_>) -> Object {
    let services = subject.services.iter();
    let paths = services.fold(index::path(form, subject), |paths, service| {
        paths.and(operations::paths(form, &Described { subject, service }))
    });
    let components = components(form, subject, &paths);
    // An empty list says that no operation needs credentials; with authorization, each has a list of its own.
    let nobody_is_asked = subject.schemes.is_none().then(|| Json::Array(Vec::new()));
    Object::new()
        .with("openapi", form.version())
        .with("info", subject.about.info(subject.segment))
        .with("servers", servers(subject))
        .with_some("security", nobody_is_asked)
        .with("tags", tags(subject))
        .with("paths", paths)
        .with("components", components)
}

fn servers(subject: &Subject<'_>) -> Vec<Object> {
    // A relative URL is resolved against the address of the document, wherever clients find that.
    let nested = Some(subject.prefix).filter(|prefix| !prefix.is_empty());
    let url = subject.base.or(nested).unwrap_or("/");
    vec![Object::new().with("url", url.to_owned())]
}

fn tags(subject: &Subject<'_>) -> Json {
    let definitions = subject.services.iter().map(|service| service.definition);
    let tag = |definition: &ResourceDefinition| {
        let said = Some(definition.meaning()).filter(|text| !text.is_empty());
        Object::new()
            .with("name", definition.name())
            .with_some("description", said)
    };
    definitions.map(tag).chain([index::tag()]).collect()
}

fn components(form: Form, subject: &Subject<'_>, paths: &Object) -> Object {
    let schemas = schemas(form, subject).and(index::schema()).and(of_errors());
    let sections = [
        ("schemas", schemas),
        ("headers", headers(subject)),
        ("responses", shared(form)),
        ("examples", examples_of_errors()),
    ];
    referred(paths, &sections).with_some("securitySchemes", security::schemes(subject))
}

/// The schemas of all resources, and of the items of others that they show.
fn schemas(form: Form, subject: &Subject<'_>) -> Object {
    let services = subject.services.iter();
    let own = services.map(|service| of_resource(form, service, subject));
    own.fold(Object::new(), Object::and)
        .and(of_targets(form, subject))
}

fn headers(subject: &Subject<'_>) -> Object {
    let text = || Object::of_type("string");
    let meaning = "What the service calls the request, also in its log.";
    let request_id = header(meaning, text(), "301daa61eaa010a7-00000001");
    let seconds = Object::of_type("integer").with("minimum", Json::Integer(0));
    let meaning = "After how many seconds to try again.";
    let retry_after = header(meaning, seconds, Json::Integer(1));
    let challenge = subject.schemes.is_some().then(|| {
        Object::new()
            .with("description", "What a token must permit (RFC 6750).")
            .with("schema", text())
            .with("example", "Bearer realm=\"api\", scope=\"settings.read\"")
    });
    Object::new()
        .with("RequestId", request_id)
        .with("RetryAfter", retry_after)
        .with_some("Challenge", challenge)
}

//! Security schemes, and the scopes that each operation requires.

use std::collections::BTreeMap;

use resource_model::schema::{Access, Operation, Requirement, ResourceDefinition};

use super::document::{ApiDescription, ResourceContext};
use super::json::{Json, Object, object};
use super::spec_version::OpenApiVersion;
use crate::authorization::SecurityScheme;

/// The permissions of each scope, in words.
type Scopes = BTreeMap<&'static str, Vec<String>>;

/// The schemes of the components.
pub(super) fn schemes(api: &ApiDescription<'_>) -> Option<Object> {
    // Schemes keep the order of the authenticator, and tools offer the first one first.
    let schemes = api.schemes.as_deref()?.iter();
    Some(schemes.map(|it| (name(it), described(it, api))).collect())
}

const fn name(scheme: &SecurityScheme) -> &'static str {
    match scheme {
        SecurityScheme::Bearer => "bearer",
        SecurityScheme::OAuth2 { .. } => "oauth2",
        SecurityScheme::ApiKey { .. } => "key",
    }
}

fn described(scheme: &SecurityScheme, api: &ApiDescription<'_>) -> Object {
    match scheme {
        // The format is a hint for readers; a verifier may accept opaque tokens, too.
        SecurityScheme::Bearer => object! {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "An access token of OAuth 2, in the header `Authorization`.",
        },
        SecurityScheme::OAuth2 {
            authorization_endpoint,
            token_endpoint,
            ..
        } => object! {
            "type": "oauth2",
            "description": "Where such tokens are issued.",
            // The flows tell tools where to get the tokens that the scheme `bearer` carries.
            "flows": flows(authorization_endpoint.as_deref(), token_endpoint, api),
        },
        SecurityScheme::ApiKey { header } => object! {
            "type": "apiKey",
            "in": "header",
            "name": header.clone(),
        },
    }
}

fn flows(
    authorization_endpoint: Option<&str>,
    token_endpoint: &str,
    api: &ApiDescription<'_>,
) -> Object {
    // Both flows end at the same endpoint and grant the same scopes.
    let flow = object! { "tokenUrl": token_endpoint.to_owned(), "scopes": scopes(api) };
    let by_code = authorization_endpoint.map(|url| {
        let own = object! {
            "authorizationUrl": url.to_owned(),
            // Refresh tokens are used at the token endpoint, too (RFC 6749, section 6).
            "refreshUrl": token_endpoint.to_owned(),
        };
        own.and(flow.clone())
    });
    object! { "authorizationCode": by_code, "clientCredentials": flow }
}

fn scopes(api: &ApiDescription<'_>) -> Object {
    // A map sorts the scopes, so that the document does not change with the order of resources.
    let mut scopes = Scopes::new();
    for service in &api.services {
        add(&mut scopes, service.definition);
    }
    let scopes = scopes.into_iter();
    // OpenAPI wants a description for each scope, which is what the scope permits here.
    scopes
        .map(|(scope, permitted)| (scope, permitted.join(", ")))
        .collect()
}

fn add(scopes: &mut Scopes, definition: &ResourceDefinition) {
    let name = definition.name();
    let operations = definition.offered_operations().iter();
    // A scope permits something in three places: at operations, at attributes, and by the owner rule.
    let operations = operations.filter_map(|operation| match definition.access(*operation) {
        Access::Scopes(needed) => Some((needed, format!("{} {name}", operation.name()))),
        Access::Public | Access::Nobody => None,
    });
    let attributes = definition.all_attributes().iter().flat_map(|attribute| {
        let (read, write) = (attribute.scopes_to_read(), attribute.scopes_to_write());
        let guarded = [("read", read), ("set", write)].into_iter();
        guarded.filter_map(move |(verb, needed)| {
            Some((needed?, format!("{verb} `{}` of {name}", attribute.name())))
        })
    });
    let of_others = definition.ownership().and_then(|owned| owned.bypass());
    let of_others = of_others.map(|needed| (needed, format!("use every {name} of any owner")));
    // One scope may permit several things, and its description lists all of them.
    for (needed, permitted) in operations.chain(attributes).chain(of_others) {
        for scope in needed.scopes() {
            scopes.entry(scope).or_default().push(permitted.clone());
        }
    }
}

/// The credentials that an operation requires of its caller, as alternatives. `None` in an API without
/// authorization.
pub(super) fn of(resource: &ResourceContext<'_>, operation: Operation) -> Option<Json> {
    let schemes = resource.api.schemes.as_deref()?;
    // Each scheme is an alternative: a caller sends one kind of credentials.
    let with = |scopes| requirements(resource.api.spec, schemes, scopes);
    let alternatives: Vec<Object> = match resource.service.definition.access(operation) {
        // An empty requirement among others makes credentials optional.
        Access::Public => [Object::new()].into_iter().chain(with(&[])).collect(),
        Access::Nobody => with(&[]).collect(),
        Access::Scopes(Requirement::All(scopes)) => with(scopes).collect(),
        // Scopes of one requirement are needed together, so each is an alternative of its own.
        Access::Scopes(Requirement::Any(scopes)) => scopes.chunks(1).flat_map(with).collect(),
    };
    // A scheme that lists no scopes yields the same requirement for each alternative.
    // The alternatives are few, and their order is that of the user's scopes, so a list is searched.
    let mut distinct: Vec<Object> = Vec::new();
    for alternative in alternatives {
        if !distinct.contains(&alternative) {
            distinct.push(alternative);
        }
    }
    Some(distinct.into())
}

/// Credentials with all of these scopes, by each scheme.
fn requirements(
    spec: OpenApiVersion,
    schemes: &[SecurityScheme],
    scopes: &'static [&'static str],
) -> impl Iterator<Item = Object> {
    let is_oauth = |it: &SecurityScheme| matches!(it, SecurityScheme::OAuth2 { .. });
    let has_flows = schemes.iter().any(is_oauth);
    schemes.iter().map(move |scheme| {
        // Scopes belong to the scheme that defines them. Without such a scheme, only 3.1 allows them elsewhere.
        let is_place = is_oauth(scheme) || matches!(spec, OpenApiVersion::V31) && !has_flows;
        let scopes = if is_place { scopes } else { &[] };
        Object::new().with(name(scheme), scopes.to_vec())
    })
}

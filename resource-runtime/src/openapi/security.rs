use std::collections::BTreeMap;

use super::document::Subject;
use super::form::Form;
use super::json::{Json, Object};
use crate::schema::{Access, Attribute, Operation, Requirement, ResourceDefinition};

/// How clients prove who they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schemes<'subject> {
    /// Where users are asked for their consent.
    pub(crate) authorization_endpoint: Option<&'subject str>,
    /// Where tokens are issued.
    pub(crate) token_endpoint: Option<&'subject str>,
}

const BEARER: &str = "bearer";
const OAUTH: &str = "oauth2";

/// What each scope permits, in words.
type Scopes = BTreeMap<&'static str, Vec<String>>;

/// The schemes of the components.
pub(super) fn schemes(subject: &Subject<'_>) -> Option<Object> {
    let schemes = subject.schemes?;
    let bearer = Object::new()
        .with("type", "http")
        .with("scheme", "bearer")
        .with("bearerFormat", "JWT")
        .with(
            "description",
            "An access token of OAuth 2, in the header `Authorization`.",
        );
    let flows = flows(schemes, subject).map(|flows| {
        Object::new()
            .with("type", "oauth2")
            .with("description", "Where such tokens are issued.")
            .with("flows", flows)
    });
    let all = Object::new().with(BEARER, bearer);
    Some(all.with_some(OAUTH, flows))
}

fn flows(schemes: Schemes<'_>, subject: &Subject<'_>) -> Option<Object> {
    let token_url = schemes.token_endpoint?.to_owned();
    let flow = || {
        Object::new()
            .with("tokenUrl", token_url.clone())
            .with("scopes", told(&scopes(subject)))
    };
    let by_code = schemes.authorization_endpoint.map(|url| {
        Object::new()
            .with("authorizationUrl", url.to_owned())
            .with("refreshUrl", token_url.clone())
            .and(flow())
    });
    let flows = Object::new().with_some("authorizationCode", by_code);
    Some(flows.with("clientCredentials", flow()))
}

fn told(scopes: &Scopes) -> Object {
    let members = scopes.iter();
    members.fold(Object::new(), |told, (scope, permitted)| {
        told.with(*scope, permitted.join(", "))
    })
}

fn scopes(subject: &Subject<'_>) -> Scopes {
    let mut scopes = Scopes::new();
    for service in &subject.services {
        add(&mut scopes, service.definition);
    }
    scopes
}

fn add(scopes: &mut Scopes, definition: &ResourceDefinition) {
    let name = definition.name();
    let operations = definition.offered_operations().iter().map(|operation| {
        let Access::Scopes(requirement) = definition.access(*operation) else {
            return (&[][..], String::new());
        };
        (requirement.scopes(), format!("{} {name}", operation.name()))
    });
    let attributes = definition.all_attributes().iter();
    let attributes = attributes.flat_map(|attribute| of_attribute(name, attribute));
    let of_others = definition.ownership().and_then(|owned| owned.bypass());
    let of_others = of_others.map(|requirement| {
        let permitted = format!("use every {name} of any owner");
        (requirement.scopes(), permitted)
    });
    for (named, permitted) in operations.chain(attributes).chain(of_others) {
        for scope in named {
            scopes.entry(scope).or_default().push(permitted.clone());
        }
    }
}

fn of_attribute(
    resource: &str,
    attribute: &Attribute,
) -> impl Iterator<Item = (&'static [&'static str], String)> {
    let permits = |verb: &str, requirement: Option<Requirement>| {
        let permitted = format!("{verb} `{}` of {resource}", attribute.name());
        requirement.map(|requirement| (requirement.scopes(), permitted))
    };
    let reads = permits("read", attribute.scopes_to_read());
    reads
        .into_iter()
        .chain(permits("set", attribute.scopes_to_write()))
}

/// What an operation asks of its caller: one of several sets of scopes. `None` where nobody is
/// ever asked.
pub(super) fn of(
    form: Form,
    definition: &ResourceDefinition,
    operation: Operation,
    schemes: Option<Schemes<'_>>,
) -> Option<Json> {
    let asked = Asked {
        form,
        has_flows: schemes?.token_endpoint.is_some(),
    };
    let alternatives: Vec<Object> = match definition.access(operation) {
        Access::Public => [Object::new()]
            .into_iter()
            .chain(asked.for_scopes(&[]))
            .collect(),
        Access::Nobody => asked.for_scopes(&[]).collect(),
        Access::Scopes(Requirement::All(scopes)) => asked.for_scopes(scopes).collect(),
        Access::Scopes(Requirement::Any(scopes)) => scopes
            .chunks(1)
            .flat_map(|scope| asked.for_scopes(scope))
            .collect(),
    };
    Some(without_repetitions(alternatives).into())
}

fn without_repetitions(alternatives: Vec<Object>) -> Vec<Object> {
    let mut kept: Vec<Object> = Vec::with_capacity(alternatives.len());
    for alternative in alternatives {
        if !kept.contains(&alternative) {
            kept.push(alternative);
        }
    }
    kept
}

#[derive(Clone, Copy)]
struct Asked {
    form: Form,
    has_flows: bool,
}

impl Asked {
    /// A token with all of these, by each scheme that says how to come by one.
    fn for_scopes(self, scopes: &[&'static str]) -> impl Iterator<Item = Object> + use<> {
        // Scopes stand at the scheme that defines them; where none does, 3.1 alone has a place for them.
        let of_bearer = match self.form {
            Form::V31 if !self.has_flows => scopes.to_vec(),
            Form::V31 | Form::V30 => Vec::new(),
        };
        let bearer = Object::new().with(BEARER, of_bearer);
        let oauth = self
            .has_flows
            .then(|| Object::new().with(OAUTH, scopes.to_vec()));
        [bearer].into_iter().chain(oauth)
    }
}

use super::json::{Json, Object};
use crate::schema::{Access, Operation, Requirement, ResourceDefinition};

/// How clients prove who they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schemes;

const BEARER: &str = "bearer";

/// The schemes of the components.
pub(super) fn schemes(_: Schemes) -> Object {
    let bearer = Object::new()
        .with("type", "http")
        .with("scheme", "bearer")
        .with("bearerFormat", "JWT")
        .with(
            "description",
            "An access token of OAuth 2, in the header `Authorization`.",
        );
    Object::new().with(BEARER, bearer)
}

/// What an operation asks of its caller: one of several sets of scopes. `None` where nobody is
/// ever asked.
pub(super) fn of(
    definition: &ResourceDefinition,
    operation: Operation,
    schemes: Option<Schemes>,
) -> Option<Json> {
    schemes?;
    Some(match definition.access(operation) {
        Access::Public => [Object::new(), needed(&[])].into_iter().collect(),
        Access::Nobody => [needed(&[])].into_iter().collect(),
        Access::Scopes(Requirement::All(scopes)) => [needed(scopes)].into_iter().collect(),
        Access::Scopes(Requirement::Any(scopes)) => {
            scopes.iter().map(|scope| needed(&[scope])).collect()
        }
    })
}

fn needed(scopes: &[&'static str]) -> Object {
    Object::new().with(BEARER, scopes.to_vec())
}

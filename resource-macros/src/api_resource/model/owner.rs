//! The owner rule of a resource: the field that holds the owner, and the claim that names them.

use syn::LitStr;

use super::{Name, Requirement, requirement};
use crate::attributes::ContainerKeys;

/// The rule by which items belong to callers.
#[derive(Debug)]
pub(crate) struct Owner {
    /// The name of the field that holds the owner.
    pub(crate) field: Name,
    /// The claim of a token that names the owner.
    pub(crate) claim: String,
    /// The scopes that exempt a caller from the rule.
    pub(crate) bypass: Option<Requirement>,
}

pub(super) fn resolve(keys: &ContainerKeys) -> Option<Owner> {
    let keys = keys.owner.value()?;
    let claim = keys.claim.value().map(LitStr::value);
    Some(Owner {
        field: keys.field.value().map(Name::from)?,
        claim: claim.unwrap_or_else(|| "sub".to_owned()),
        bypass: requirement::resolve(&keys.bypass),
    })
}

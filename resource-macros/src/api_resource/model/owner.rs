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
    // A malformed `owner` makes no rule; its error is that of the key's form.
    let keys = keys.owner.value()?;
    let claim = keys.claim.value().map(LitStr::value);
    Some(Owner {
        // Without a field there is no owner rule; the missing key has an error of its own.
        field: keys.field.value().map(Name::from)?,
        // `sub` is the claim that names the subject of a token (RFC 7519, section 4.1.2).
        claim: claim.unwrap_or_else(|| "sub".to_owned()),
        bypass: requirement::resolve(&keys.bypass),
    })
}

#[cfg(feature = "oauth2")]
use std::sync::Arc;

use axum::http::Extensions;

#[cfg(feature = "oauth2")]
use super::{Claims, Principal};
use crate::schema::{Access, Operation, Requirement, ResourceDefinition};

/// Who sent a request, as far as it decides what they may do.
#[derive(Debug, Clone)]
pub(crate) enum Caller {
    /// Whoever it is: without authorization, and for the developer's own code, nobody asks.
    Unchecked,
    /// Someone without an access token.
    #[cfg(feature = "oauth2")]
    Anonymous,
    /// The bearer of an access token that was found valid.
    #[cfg(feature = "oauth2")]
    Bearer(Arc<Claims>),
}

impl Caller {
    /// Whether the caller has the scopes.
    #[cfg_attr(
        not(feature = "oauth2"),
        expect(unused_variables, reason = "without authorization nobody needs any")
    )]
    pub(crate) fn has(&self, scopes: Requirement) -> bool {
        match self {
            Self::Unchecked => true,
            #[cfg(feature = "oauth2")]
            Self::Anonymous => false,
            #[cfg(feature = "oauth2")]
            Self::Bearer(claims) => scopes.is_met_by(claims.scopes().names()),
        }
    }

    /// Whether the caller may use an operation of this access.
    pub(crate) fn may_use(&self, access: Access) -> bool {
        match access {
            Access::Nobody => matches!(self, Self::Unchecked),
            Access::Public => true,
            Access::Scopes(scopes) => self.has(scopes),
        }
    }

    /// Whether the caller may read single items of a resource. One that cannot be retrieved is
    /// for those who may list it.
    pub(crate) fn may_read(&self, definition: &ResourceDefinition) -> bool {
        let access = match definition.access(Operation::Retrieve) {
            Access::Nobody => definition.access(Operation::List),
            access => access,
        };
        self.may_use(access)
    }

    /// Tells validators and hooks who the caller is.
    #[cfg_attr(
        not(feature = "oauth2"),
        expect(
            unused_variables,
            reason = "without authorization the host alone tells"
        )
    )]
    pub(crate) fn introduce(&self, extensions: &mut Extensions) {
        match self {
            Self::Unchecked => {}
            #[cfg(feature = "oauth2")]
            Self::Anonymous => drop(extensions.remove::<Principal>()),
            #[cfg(feature = "oauth2")]
            Self::Bearer(claims) => {
                extensions.remove::<Principal>();
                extensions.insert(claims.clone());
                if let Some(principal) = claims.principal() {
                    extensions.insert(principal);
                }
            }
        }
    }
}

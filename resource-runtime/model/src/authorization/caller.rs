//! The sender of a request, as far as it decides what they may do.

use std::sync::Arc;

use super::Claims;
use crate::schema::{Access, Operation, Requirement, ResourceDefinition};

/// Who sent a request, as far as it decides what they may do.
#[derive(Debug, Clone)]
pub enum Caller {
    /// Whoever it is: without authorization, and for the developer's own code, nobody asks.
    Unchecked,
    /// Someone without an access token.
    Anonymous,
    /// The bearer of an access token that was found valid.
    Bearer(Arc<Claims>),
}

impl Caller {
    /// Whether the caller has the scopes.
    pub fn has(&self, scopes: Requirement) -> bool {
        match self {
            Self::Unchecked => true,
            Self::Anonymous => false,
            Self::Bearer(claims) => scopes.is_met_by(claims.scopes().names()),
        }
    }

    /// Whether the caller may use an operation of this access.
    pub fn may_use(&self, access: Access) -> bool {
        match access {
            Access::Nobody => matches!(self, Self::Unchecked),
            Access::Public => true,
            Access::Scopes(scopes) => self.has(scopes),
        }
    }

    /// Whether the caller may read single items of a resource. One that cannot be retrieved is
    /// for those who may list it.
    pub fn may_read(&self, definition: &ResourceDefinition) -> bool {
        let access = match definition.access(Operation::Retrieve) {
            Access::Nobody => definition.access(Operation::List),
            access => access,
        };
        self.may_use(access)
    }
}

/// Who sent a request, as whoever guards the routes knows it.
///
/// With authorization it is the user of the access token, whose claims are the request extension
/// `Arc<Claims>`. Without, a layer of the host says so by a request extension. Validators and hooks
/// read it from their context:
///
/// ```
/// use axum::Extension;
/// use axum::Router;
/// use resource_runtime::Principal;
///
/// # let app: Router = Router::new();
/// let app = app.layer(Extension(Principal::new("ann")));
/// # drop(app);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    subject: String,
}

impl Principal {
    /// The principal whose identifier is `subject`.
    #[must_use]
    pub fn new(subject: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
        }
    }

    /// What identifies it.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

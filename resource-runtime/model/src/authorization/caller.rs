//! The caller: the sender of a request, with the rights that the credentials give.

use std::sync::Arc;

use super::Claims;
use crate::schema::{Access, Operation, Requirement, ResourceDefinition};

/// The sender of a request, as far as their rights depend on it.
#[derive(Debug, Clone)]
pub enum Caller {
    /// The developer's own code, from which nothing is hidden.
    System,
    /// The same, which sees deleted items, too.
    SystemWithDeleted,
    /// Any client of an API without authorization.
    Trusted,
    /// A caller without an access token.
    Anonymous,
    /// The bearer of a valid access token.
    Bearer(Arc<Claims>),
}

impl Caller {
    /// Tests whether the caller has the scopes.
    pub fn has(&self, scopes: Requirement) -> bool {
        // Trusted code is never limited; a caller without a token has no scopes to compare.
        match self {
            Self::System | Self::SystemWithDeleted | Self::Trusted => true,
            Self::Anonymous => false,
            Self::Bearer(claims) => scopes.is_met_by(claims.scopes().names()),
        }
    }

    /// Tests whether the caller may use an operation of this access.
    pub fn may_use(&self, access: Access) -> bool {
        match access {
            // An operation without a rule is closed to clients, not to the developer's own code.
            Access::Nobody => {
                matches!(self, Self::System | Self::SystemWithDeleted | Self::Trusted)
            }
            // A token is not needed here; one that is sent is verified all the same, before this check.
            Access::Public => true,
            Access::Scopes(scopes) => self.has(scopes),
        }
    }

    /// Tests whether the caller may read single items of a resource. Where items cannot be retrieved, callers
    /// who may list them may read them.
    pub fn may_read(&self, definition: &ResourceDefinition) -> bool {
        let access = match definition.access(Operation::Retrieve) {
            Access::Nobody => definition.access(Operation::List),
            access => access,
        };
        self.may_use(access)
    }
}

/// The user who sent a request, as the middleware that guards the routes identifies them.
///
/// With authorization this is the user of the access token, whose claims are the request extension
/// `Arc<Claims>`. Without it, a layer of the host sets the principal as a request extension. Validators and
/// hooks read it from their context:
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

    /// The identifier of the principal.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

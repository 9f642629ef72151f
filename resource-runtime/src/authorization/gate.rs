#[cfg(feature = "oauth2")]
use std::sync::Arc;

use axum::http::HeaderMap;

use super::Caller;
#[cfg(feature = "oauth2")]
use super::door::Door;
#[cfg(feature = "oauth2")]
use super::{Authenticator, Challenge};
use crate::error::Failure;
#[cfg(feature = "oauth2")]
use crate::schema::ResourceDefinition;
use crate::schema::{Attribute, Operation};

/// Where a request for a resource comes in.
#[derive(Debug)]
pub(crate) enum Gate {
    /// Everybody may do everything.
    Open,
    /// Callers are asked who they are.
    #[cfg(feature = "oauth2")]
    Guarded(Box<Door>),
}

#[cfg_attr(
    not(feature = "oauth2"),
    expect(unused_variables, reason = "an open gate asks for nothing")
)]
impl Gate {
    /// The gate of a resource whose callers are known by their tokens.
    #[cfg(feature = "oauth2")]
    pub(crate) fn guarded(
        definition: &'static ResourceDefinition,
        authenticator: Arc<dyn Authenticator>,
        challenge: Challenge,
    ) -> Self {
        Self::Guarded(Box::new(Door::new(definition, authenticator, challenge)))
    }

    /// Who the caller is, if they may use the operation.
    pub(crate) async fn admit(
        &self,
        operation: Operation,
        headers: &HeaderMap,
    ) -> Result<Caller, Failure> {
        match self {
            Self::Open => Ok(Caller::Unchecked),
            #[cfg(feature = "oauth2")]
            Self::Guarded(door) => door.admit(operation, headers).await,
        }
    }

    /// Refuses a caller who may use the operation, but not name one of these attributes.
    pub(crate) fn require_to_write<'attribute>(
        &self,
        caller: &Caller,
        operation: Operation,
        named: impl Iterator<Item = &'attribute Attribute>,
    ) -> Result<(), Failure> {
        match self {
            Self::Open => Ok(()),
            #[cfg(feature = "oauth2")]
            Self::Guarded(door) => door.require_to_write(caller, operation, named),
        }
    }
}

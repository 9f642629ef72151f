//! The host of the authorization server that is measured: it has no users.

use axum::http::request::Parts;
use axum::response::Response;
use resource_authorization_server::{
    Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User,
};

/// A host without users: clients act on their own behalf.
pub(crate) struct Nobody;

impl ResourceOwner for Nobody {
    async fn current_user(&self, _: &Parts) -> Result<Option<User>, OwnerError> {
        Ok(None)
    }

    async fn login(&self, _: &Parts, _: PendingRequest) -> Result<Response, OwnerError> {
        Err("nobody can log in".into())
    }

    async fn consent(&self, _: &Parts, _: ConsentPrompt) -> Result<Consent, OwnerError> {
        Ok(Consent::Denied)
    }
}

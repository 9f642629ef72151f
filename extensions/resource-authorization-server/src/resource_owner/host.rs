use std::pin::Pin;

use axum::http::request::Parts;
use axum::response::Response;
use resource_runtime::authorization::Scopes;

use super::{Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User};

type Answer<'owner, T> = Pin<Box<dyn Future<Output = Result<T, OwnerError>> + Send + 'owner>>;

/// A host whose type is forgotten: the server is compiled once.
pub(crate) trait Host: Send + Sync {
    fn current<'owner>(&'owner self, request: &'owner Parts) -> Answer<'owner, Option<User>>;

    fn login<'owner>(
        &'owner self,
        request: &'owner Parts,
        pending: PendingRequest,
    ) -> Answer<'owner, Response>;

    fn consent<'owner>(
        &'owner self,
        request: &'owner Parts,
        prompt: ConsentPrompt,
    ) -> Answer<'owner, Consent>;

    fn still_permits<'owner>(
        &'owner self,
        subject: &'owner str,
        scopes: &'owner Scopes,
    ) -> Answer<'owner, bool>;
}

impl<O: ResourceOwner> Host for O {
    fn current<'owner>(&'owner self, request: &'owner Parts) -> Answer<'owner, Option<User>> {
        Box::pin(ResourceOwner::current(self, request))
    }

    fn login<'owner>(
        &'owner self,
        request: &'owner Parts,
        pending: PendingRequest,
    ) -> Answer<'owner, Response> {
        Box::pin(ResourceOwner::login(self, request, pending))
    }

    fn consent<'owner>(
        &'owner self,
        request: &'owner Parts,
        prompt: ConsentPrompt,
    ) -> Answer<'owner, Consent> {
        Box::pin(ResourceOwner::consent(self, request, prompt))
    }

    fn still_permits<'owner>(
        &'owner self,
        subject: &'owner str,
        scopes: &'owner Scopes,
    ) -> Answer<'owner, bool> {
        Box::pin(ResourceOwner::still_permits(self, subject, scopes))
    }
}

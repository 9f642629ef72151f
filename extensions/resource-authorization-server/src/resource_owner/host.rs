//! The object-safe form of `ResourceOwner`.

use std::pin::Pin;

use axum::http::request::Parts;
use axum::response::Response;
use resource_runtime::authorization::Scopes;

use super::{Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User};

type HostFuture<'owner, T> = Pin<Box<dyn Future<Output = Result<T, OwnerError>> + Send + 'owner>>;

/// Object-safe form of [`ResourceOwner`], so that the server is not generic over it and is compiled
/// once.
pub(crate) trait Host: Send + Sync {
    fn current_user<'owner>(
        &'owner self,
        request: &'owner Parts,
    ) -> HostFuture<'owner, Option<User>>;

    fn login<'owner>(
        &'owner self,
        request: &'owner Parts,
        pending: PendingRequest,
    ) -> HostFuture<'owner, Response>;

    fn consent<'owner>(
        &'owner self,
        request: &'owner Parts,
        prompt: ConsentPrompt,
    ) -> HostFuture<'owner, Consent>;

    fn still_permits<'owner>(
        &'owner self,
        subject: &'owner str,
        scopes: &'owner Scopes,
    ) -> HostFuture<'owner, bool>;
}

impl<O: ResourceOwner> Host for O {
    fn current_user<'owner>(
        &'owner self,
        request: &'owner Parts,
    ) -> HostFuture<'owner, Option<User>> {
        Box::pin(ResourceOwner::current_user(self, request))
    }

    fn login<'owner>(
        &'owner self,
        request: &'owner Parts,
        pending: PendingRequest,
    ) -> HostFuture<'owner, Response> {
        Box::pin(ResourceOwner::login(self, request, pending))
    }

    fn consent<'owner>(
        &'owner self,
        request: &'owner Parts,
        prompt: ConsentPrompt,
    ) -> HostFuture<'owner, Consent> {
        Box::pin(ResourceOwner::consent(self, request, prompt))
    }

    fn still_permits<'owner>(
        &'owner self,
        subject: &'owner str,
        scopes: &'owner Scopes,
    ) -> HostFuture<'owner, bool> {
        Box::pin(ResourceOwner::still_permits(self, subject, scopes))
    }
}

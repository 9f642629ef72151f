//! Callers without credentials, who are given to the API beside the request: no bytes that a client sends name one.

use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;
use resource_runtime::authorization::{
    ApiAddress, Authenticator, Challenge, Claims, Refusal, SecurityScheme,
};

tokio::task_local! {
    /// The caller of the request that this task handles; none of a client without one.
    pub(crate) static CALLER: Option<Arc<Claims>>;
}

/// Takes the given caller; a request without one is authenticated by the API's own authenticator.
#[derive(Debug)]
pub(crate) struct GivenCallers {
    pub(crate) own: Option<Arc<dyn Authenticator>>,
}

impl Authenticator for GivenCallers {
    fn authenticate<'a>(
        &'a self,
        headers: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
        // Outside of its scope, as in a router that is served on a port, there is no caller.
        match (CALLER.try_with(Clone::clone), &self.own) {
            (Ok(Some(claims)), _) => Box::pin(async { Ok(claims) }),
            (_, Some(own)) => own.authenticate(headers),
            (_, None) => Box::pin(async { Err(Refusal::MissingToken) }),
        }
    }

    fn challenge(&self, api: ApiAddress<'_>) -> Challenge {
        let own = self.own.as_ref();
        own.map_or_else(Challenge::new, |own| own.challenge(api))
    }

    fn schemes(&self) -> Vec<SecurityScheme> {
        let own = self.own.as_ref();
        own.map_or_else(|| vec![SecurityScheme::Bearer], |own| own.schemes())
    }

    fn routes(&self, api: ApiAddress<'_>) -> Router {
        let own = self.own.as_ref();
        own.map_or_else(Router::new, |own| own.routes(api))
    }

    fn has_namespaces(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.has_namespaces())
    }
}

//! The interface to the verifier of a request's credentials.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;

use super::{Challenge, Claims, Refusal};

/// Verifies the credentials of each request to an API that has it by
/// [`ApiBuilder::authorization`](crate::ApiBuilder::authorization).
///
/// ```
/// use std::collections::HashMap;
/// use std::pin::Pin;
/// use std::sync::Arc;
///
/// use axum::http::HeaderMap;
/// use resource_runtime::authorization::{Authenticator, Claims, InvalidToken, Refusal, SecurityScheme};
///
/// /// Keys that are known beforehand, in the header `X-Api-Key`.
/// #[derive(Debug)]
/// struct ApiKeys(HashMap<Vec<u8>, Arc<Claims>>);
///
/// impl Authenticator for ApiKeys {
///     fn authenticate<'a>(
///         &'a self,
///         headers: &'a HeaderMap,
///     ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
///         let key = headers.get("x-api-key").ok_or(Refusal::MissingToken);
///         let claims = key.and_then(|key| {
///             let claims = self.0.get(key.as_bytes()).cloned();
///             claims.ok_or(InvalidToken::Unreadable.into())
///         });
///         Box::pin(async { claims })
///     }
///
///     fn schemes(&self) -> Vec<SecurityScheme> {
///         vec![SecurityScheme::ApiKey { header: "X-Api-Key".into() }]
///     }
/// }
///
/// let ann = Claims::new("keys").with_subject("ann").with_scopes("notes.read".parse().unwrap());
/// let keys = ApiKeys([(b"a-long-secret".to_vec(), Arc::new(ann))].into());
/// # drop(resource_runtime::Api::builder().authorization(keys));
/// ```
pub trait Authenticator: fmt::Debug + Send + Sync + 'static {
    /// The claims of the caller who sends these headers.
    ///
    /// # Errors
    ///
    /// [`Refusal::MissingToken`] where there are no credentials, which is no error for public operations;
    /// any other refusal ends the request.
    fn authenticate<'a>(
        &'a self,
        headers: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>>;

    /// The challenge for clients of the API at this address; the service adds the scopes of the operation.
    fn challenge(&self, _api: ApiAddress<'_>) -> Challenge {
        Challenge::new()
    }

    /// The security schemes of the API for its OpenAPI documents.
    fn schemes(&self) -> Vec<SecurityScheme> {
        vec![SecurityScheme::Bearer]
    }

    /// Routes that the API serves beside its own, from the root of the host: metadata under `/.well-known/`.
    fn routes(&self, _api: ApiAddress<'_>) -> Router {
        Router::new()
    }

    /// Tests whether subjects, and claims that name owners, begin with a namespace, so that owners have to be
    /// texts.
    fn has_namespaces(&self) -> bool {
        false
    }
}

/// The address of an API.
#[derive(Debug, Clone, Copy)]
pub struct ApiAddress<'a> {
    /// The [base URL](crate::ApiBuilder::base_url) of the service, where one is set.
    pub base_url: Option<&'a str>,
    /// The [root](crate::ApiBuilder::root) of the API: `/api`.
    pub root: &'a str,
}

/// A way to send credentials, as OpenAPI documents describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecurityScheme {
    /// An access token in the header `Authorization`, after `Bearer`.
    Bearer,
    /// An access token of OAuth 2, with the endpoints that issue it, absolute URLs.
    OAuth2 {
        /// The page that asks users for their consent; none where clients act on their own behalf alone.
        authorization_endpoint: Option<String>,
        /// The endpoint that issues tokens.
        token_endpoint: String,
        /// The id of the public client as which the reference at `/docs` logs people in; without one, it takes tokens.
        docs_client: Option<String>,
    },
    /// A key in a header of its own.
    ApiKey {
        /// The name of the header.
        header: String,
    },
}

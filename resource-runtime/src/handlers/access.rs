//! The API and the caller of a request, and the items as this caller sees them.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use resource_model::error::Error;
use resource_model::query::Selection;
use resource_model::schema::Operation;
use resource_model::value::{Record, RecordError, Values};

use super::Partial;
use crate::authorization::{Caller, Claims, Scopes, View};
use crate::boxed::BoxFuture;
use crate::hooks::{Formatter, RequestContext};
use crate::http::ServedResource;
use crate::items::{ItemWrite, Items, Reader, Redaction, ResourceType, Sink, Source, Written};
use crate::operation::{Writer, not_registered, write_items};
use crate::{Api, ApiResource, Principal};

/// The API and the caller of a request.
///
/// The caller is authenticated as for a resource: without valid credentials, the request is refused with 401 and the
/// same challenge. [`PublicAccess`] lets callers without credentials in, too. An API without
/// [`authorization`](crate::ApiBuilder::authorization) trusts every caller.
///
/// ```
/// use resource_runtime::handlers::{Access, Partial, Reply};
/// # use resource_runtime::{ApiResource, Error};
/// # #[derive(ApiResource)]
/// # #[resource(name = "Note", url = "/notes", version = "1.0", scopes, owner(field = "author"))]
/// # struct Note { id: i64, author: String, is_pinned: bool }
///
/// /// The caller's own notes, as the owner rule of the resource tells, and never a hidden attribute.
/// async fn pinned(access: Access) -> Result<Reply<Vec<Partial<Note>>>, Error> {
///     access.require_scope("notes.pinned")?;
///     let pinned = access.items::<Note>().filter(Note::IS_PINNED.eq(true));
///     Ok(Reply::ok(pinned.limit(10).all().await?))
/// }
/// # drop(resource_runtime::Api::builder().routes(axum::Router::new().route("/", axum::routing::get(pinned))));
/// ```
#[derive(Debug, Clone)]
pub struct Access {
    api: Api,
    caller: Caller,
    request: RequestContext,
}

/// The [`Access`] of a request that may come without credentials, as for operations that are `public`. Credentials that
/// are sent have to be valid.
#[derive(Debug, Clone)]
pub struct PublicAccess(pub Access);

impl Access {
    /// The API: its items are those of the system, whoever calls.
    #[must_use]
    pub const fn api(&self) -> &Api {
        &self.api
    }

    /// The user; `None` where the caller has no credentials, or they stand for no user. Without
    /// [`authorization`](crate::ApiBuilder::authorization), it is one that a layer attaches to the request.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.request.principal()
    }

    /// The claims of the caller's credentials; `None` where there are none.
    #[must_use]
    pub fn claims(&self) -> Option<&Claims> {
        match &self.caller {
            Caller::Bearer(claims) => Some(claims),
            _ => None,
        }
    }

    /// Refuses a caller whose credentials lack a scope: for what belongs to no resource.
    ///
    /// # Errors
    ///
    /// [`Forbidden`](crate::ErrorKind::Forbidden), with the code 12110, and without credentials
    /// [`Unauthenticated`](crate::ErrorKind::Unauthenticated). As a response, it has the challenge of a resource with
    /// this scope. An API without authorization refuses nobody.
    pub fn require_scope(&self, scope: &str) -> Result<(), Error> {
        let has_scope = self.claims().is_some_and(|it| it.scopes().contains(scope));
        match self.api.authentication() {
            Some(authentication) if !has_scope => {
                let scopes = Scopes::from_iter([scope]);
                Err(authentication.lacks(&self.caller, scopes).into())
            }
            _ => Ok(()),
        }
    }

    /// The items of `R` as the caller sees them: their own rows, without hidden attributes, after the format hook.
    ///
    /// Reads and writes need the scopes of their operations, also of those that have no route, without which they are
    /// [`Forbidden`](crate::ErrorKind::Forbidden) or [`Unauthenticated`](crate::ErrorKind::Unauthenticated). A write
    /// runs the hooks with this request. An update of a read-only or a hidden attribute is
    /// [`Refused`](crate::ErrorKind::Refused); a new item takes of its struct what the caller may set, and the owner is
    /// the caller.
    #[must_use]
    pub const fn items<R: ApiResource>(&self) -> Items<R, &Self> {
        Items::new(self)
    }

    async fn of_request(api: Api, request: &Parts, is_public: bool) -> Result<Self, Error> {
        let caller = match api.authentication() {
            Some(it) => {
                let caller = it.caller(&request.headers, is_public, Scopes::default);
                caller.await?
            }
            None => Caller::Trusted,
        };
        let request = RequestContext::new(request.clone(), &caller, api.clock());
        Ok(Self {
            api,
            caller,
            request,
        })
    }

    /// Takes out what is hidden from the caller.
    fn redaction(&self, resource: ResourceType, served: &ServedResource) -> Redaction {
        let hooks = served.service.hooks.as_ref();
        let formatter = hooks.map(|hooks| Formatter::new(hooks, &self.request));
        let mut shown = Selection::all(View::new(resource.definition, &self.caller)).attributes;
        // A new item is returned to a caller who may only create: the key alone, as of a request.
        let mut reads = [Operation::Retrieve, Operation::List].into_iter();
        if !reads.any(|it| served.authorizer.permit(&[it], &self.caller).is_ok()) {
            shown.retain(|it| it.is_primary_key());
        }
        let runs_no_hook = formatter.is_none();
        let redact = Arc::new(move |record: Record| {
            // Records are whole, as the format hook sees them; what is hidden ends here.
            let mut record = match &formatter {
                Some(formatter) => formatter.format(record)?,
                None => record,
            };
            let attributes = resource.definition.all_attributes();
            for (index, attribute) in attributes.iter().enumerate() {
                if !shown.iter().any(|it| it.name() == attribute.name()) {
                    record.take(index);
                }
            }
            Ok(record)
        });
        Redaction {
            redact,
            runs_no_hook,
        }
    }

    fn resource(&self, resource: ResourceType) -> Result<&Arc<ServedResource>, Error> {
        let served = self.api.resource(resource.id);
        served.ok_or_else(|| not_registered(resource.name))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Access
where
    Api: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(request: &mut Parts, state: &S) -> Result<Self, Error> {
        Self::of_request(Api::from_ref(state), request, false).await
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PublicAccess
where
    Api: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(request: &mut Parts, state: &S) -> Result<Self, Error> {
        let access = Access::of_request(Api::from_ref(state), request, true);
        access.await.map(Self)
    }
}

impl Source for &Access {
    type Item<R: ApiResource> = Partial<R>;

    fn reader(&mut self) -> Reader<'_> {
        Reader::of_database(self.api.database(), &self.caller)
    }

    fn make<R: ApiResource>(values: &mut Values<'_>) -> Result<Partial<R>, RecordError> {
        Ok(Partial {
            record: values.rest()?,
            resource: PhantomData,
        })
    }

    fn permit(
        &self,
        resource: ResourceType,
        operation: Operation,
    ) -> Result<Option<Redaction>, Error> {
        let served = self.resource(resource)?;
        served.authorizer.permit(&[operation], &self.caller)?;
        Ok(Some(self.redaction(resource, served)))
    }
}

impl<'access> Sink for &'access Access {
    type Writing = BoxFuture<'access, Result<Written, Error>>;

    fn write(self, write: ItemWrite) -> Self::Writing {
        Box::pin(async move {
            let resource = write.resource;
            let served = self.resource(resource)?;
            let writer = Writer {
                caller: self.caller.clone(),
                request: Some(self.request.clone()),
                authorizer: Some(&served.authorizer),
            };
            let mut written = write_items(&served.service, writer, write, None).await?;
            if let Some(item) = written.item.take() {
                written.item = Some((self.redaction(resource, served).redact)(item)?);
            }
            Ok(written)
        })
    }
}

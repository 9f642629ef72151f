//! One version of a resource as it is served over HTTP.

use std::sync::Arc;

use axum::http::request::Parts;
use resource_model::query::Selection;
use resource_model::schema::Operation;

use super::extract::UnknownParameters;
use super::respond::{Formatters, Shape, Unsent};
use crate::authorization::{Authorizer, Caller};
use crate::failure::Failure;
use crate::hooks::{Formatter, Hooks, RequestContext};
#[cfg(feature = "metrics")]
use crate::metrics::{EndpointSlot, Endpoints};
use crate::operation::Service;

/// The state of its routes: the service, whose operations know no HTTP, and what HTTP needs beside it.
#[derive(Debug)]
pub(crate) struct ServedResource {
    pub(crate) service: Arc<Service>,
    pub(crate) authorizer: Authorizer,
    #[cfg(feature = "metrics")]
    pub(crate) endpoints: Option<Endpoints>,
    /// The shape of all attributes, where no hook formats them.
    pub(crate) shape: Arc<Shape>,
    /// The room for what is read and not sent, which all resources share.
    pub(crate) unsent: Arc<Unsent>,
    pub(crate) body_limit: usize,
    pub(crate) unknown_parameters: UnknownParameters,
}

impl ServedResource {
    /// Admits a caller who may use the operation; the request is known from here on as one for it.
    pub(super) async fn admit(
        &self,
        operation: Operation,
        request: &Parts,
    ) -> Result<Caller, Failure> {
        let definition = self.service.definition;
        let span = tracing::Span::current();
        span.record("operation", operation.name());
        span.record("resource", definition.name());
        span.record("version", tracing::field::display(definition.version()));
        #[cfg(feature = "metrics")]
        if let Some(endpoint) = self.endpoints.as_ref().and_then(|it| it.of(operation))
            && let Some(slot) = request.extensions.get::<EndpointSlot>()
        {
            slot.name(endpoint);
        }
        self.authorizer.admit(operation, &request.headers).await
    }

    /// What hooks are told of a request, where there are any.
    pub(super) fn context(&self, request: Parts, caller: &Caller) -> Option<RequestContext> {
        let hooks = self.service.hooks.as_ref();
        hooks.map(|_| RequestContext::new(request, caller))
    }

    /// How the rows of a selection become JSON; without one, the shape of all attributes.
    pub(super) fn shape(
        &self,
        caller: &Caller,
        selection: Option<&Selection>,
        request: Parts,
    ) -> Arc<Shape> {
        match selection {
            None => self.shape.clone(),
            Some(selection) => {
                let formatters = self.formatters(caller, request);
                Arc::new(Shape::of(self.service.definition, selection, &formatters))
            }
        }
    }

    fn formatters(&self, caller: &Caller, request: Parts) -> Formatters {
        let (of_item, of_subresources) = (&self.service.hooks, &self.service.subresource_hooks);
        let mut all = of_subresources.iter().chain([of_item]);
        if all.all(Option::is_none) {
            return Formatters::default();
        }
        let request = RequestContext::new(request, caller);
        let formatter = |hooks: &Option<Arc<dyn Hooks>>| {
            let hooks = hooks.as_ref();
            hooks.map(|hooks| Formatter::new(hooks, &request))
        };
        Formatters {
            item: formatter(of_item),
            subresources: of_subresources.iter().map(formatter).collect(),
        }
    }
}

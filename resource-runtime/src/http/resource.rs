//! A version of a resource as it is served over HTTP.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use resource_model::error::{ApiError, ErrorCode};
use resource_model::query::{Elements, Selection};
use resource_model::schema::Operation;
use resource_model::value::Key;

use super::extract::{self, Format, PathParameters, UnknownParameters};
use super::middleware::original_uri;
use super::respond::{self, Formatters, RowEncoder, Tagging, Unsent};
use crate::authorization::{Authorizer, Caller};
use crate::failure::Failure;
use crate::hooks::{Formatter, Hooks, QuotaHook, QuotaRequest, RequestContext};
#[cfg(feature = "metrics")]
use crate::metrics::{EndpointSlot, Endpoints};
use crate::operation::{self, Precondition, Service, Services, TagSource};

/// State of the routes of a resource: the service, whose operations know no HTTP, and the settings of HTTP.
#[derive(Debug)]
pub(crate) struct ServedResource {
    pub(crate) service: Arc<Service>,
    /// Keeps the services of all resources, which the hooks of this one may call.
    pub(crate) _services: Arc<Services>,
    pub(crate) authorizer: Authorizer,
    pub(crate) quota: Option<QuotaHook>,
    #[cfg(feature = "metrics")]
    pub(crate) endpoints: Option<Endpoints>,
    /// Encoder of items with all attributes, used where no hook formats them.
    pub(crate) encoder: Arc<RowEncoder>,
    /// The buffer for responses that are read and not sent yet, which all resources share.
    pub(crate) unsent: Arc<Unsent>,
    pub(crate) body_limit: usize,
    pub(crate) unknown_parameters: UnknownParameters,
    /// The `Cache-Control` of items and lists, where the resource declares one.
    pub(crate) cache_control: Option<HeaderValue>,
}

impl ServedResource {
    /// Admits a caller who may use the operation, which is noted in the log and the metrics of the request.
    pub(super) async fn admit(
        &self,
        operation: Operation,
        request: &Parts,
    ) -> Result<Caller, Failure> {
        let definition = self.service.definition;
        // Noted before the caller is admitted, so that refusals count for the operation, too.
        let span = tracing::Span::current();
        span.record("operation", operation.name());
        span.record("resource", definition.name());
        span.record("version", tracing::field::display(definition.version()));
        #[cfg(feature = "metrics")]
        if let Some(endpoints) = &self.endpoints
            && let Some(endpoint) = endpoints.of(operation, &request.method)
            && let Some(slot) = request.extensions.get::<EndpointSlot>()
        {
            slot.name(endpoint);
        }
        let own = [operation];
        let needed = self.upserts(request).unwrap_or(&own);
        let caller = self.authorizer.admit(needed, &request.headers).await?;
        if let Some(quota) = &self.quota {
            let quota_request = QuotaRequest {
                context: RequestContext::new(request.clone(), &caller, &self.service.clock),
                operation,
                resource: definition.name(),
            };
            // Boxed, so that the futures of requests without a quota stay small.
            Box::pin(quota.spend(quota_request, self.service.hook_timeout)).await?;
        }
        Ok(caller)
    }

    /// The operations that a request carries out which creates its item where there is none, a `PUT` that does not name a
    /// state of it; none of any other request.
    pub(super) fn upserts(&self, request: &Parts) -> Option<&'static [Operation]> {
        let has = |name| request.headers.contains_key(name);
        let upserts = self.service.definition.upserts() && request.method == Method::PUT;
        if !upserts || has(header::IF_MATCH) {
            return None;
        }
        Some(if has(header::IF_NONE_MATCH) {
            &[Operation::Create]
        } else {
            &[Operation::Create, Operation::Update]
        })
    }

    /// The context of a request for hooks; none where the resource has no hooks.
    pub(super) fn context(&self, request: Parts, caller: &Caller) -> Option<RequestContext> {
        let hooks = self.service.hooks.as_ref();
        // The caller becomes a part of the context, so that hooks find the verified principal.
        hooks.map(|_| RequestContext::new(request, caller, &self.service.clock))
    }

    /// Tests whether the caller may know tags of items: one who may not read the item gets none, and none of theirs
    /// matches.
    pub(super) fn shows_tags(&self, caller: &Caller) -> bool {
        let definition = self.service.definition;
        self.service.tags.is_some() && caller.may_use(definition.access(Operation::Retrieve))
    }

    /// The precondition of a write.
    pub(super) fn precondition(
        &self,
        request: &Parts,
        caller: &Caller,
    ) -> Result<Precondition, ApiError> {
        Ok(match extract::precondition(request)? {
            Precondition::Tags(_) if !self.shows_tags(caller) => Precondition::Tags(Vec::new()),
            precondition => precondition,
        })
    }

    /// The response with what the resource declares of caching.
    pub(super) fn cached(&self, response: Response) -> Response {
        respond::with_header(response, header::CACHE_CONTROL, self.cache_control.clone())
    }

    /// The key of the item to change, and the state that the request expects of it. Refuses a change that has to name
    /// that state, and does not.
    pub(super) async fn target(
        &self,
        request: &Parts,
        path: PathParameters,
        caller: &Caller,
    ) -> Result<(Key, Precondition), Failure> {
        let service = &self.service;
        let precondition = self.precondition(request, caller)?;
        let key = extract::item_key(service.definition, path, &request.uri)?;
        if !service.requires_if_match || !matches!(precondition, Precondition::None) {
            return Ok((key, precondition));
        }
        let resource = service.definition.name();
        let mut message = format!(
            "send the `ETag` of the {resource} as `If-Match`, or `*` to change it whatever it is"
        );
        if service.definition.upserts() {
            message.push_str("; send `If-None-Match: *` to create it");
        } else {
            // A missing item is reported first.
            Box::pin(operation::require_item(service, caller, &key, None)).await?;
        }
        Err(Failure::refused(ErrorCode::IfMatchRequired, message))
    }

    /// The place of the tag in the row of an item, which a selection reads beside its own columns.
    pub(super) fn tagging(&self, selection: &mut Option<Selection>) -> Option<Tagging> {
        let (source, definition) = (self.service.tags?, self.service.definition);
        let first = match (source, &*selection) {
            (TagSource::Digest(_), None) => return Some(Tagging::InBody),
            // A hook sees all attributes in their order, so that none is read twice.
            (TagSource::Digest(all), Some(it)) => (it.columns.len() == all.len()).then_some(0),
            (TagSource::Revision(_, revision), Some(it)) => {
                let mut columns = it.columns.iter();
                columns.position(|it| it.name() == revision.name())
            }
            (TagSource::Revision(_, revision), None) => {
                // Without a selection, the columns are those that clients may read.
                let mut columns = definition.readable_attributes();
                columns.position(|it| it.name() == revision.name())
            }
        };
        if let (None, Some(selection)) = (first, selection) {
            selection.tagging = source.attributes();
        }
        Some(Tagging::InColumns(source, first))
    }

    /// The encoder of the rows of a selection; without one, that of all attributes, which writes JSON. The path
    /// of the request has so many `segments` from the version on.
    pub(super) fn encoder(
        &self,
        caller: &Caller,
        selection: Option<&Selection>,
        format: Format,
        request: Parts,
        segments: usize,
    ) -> Arc<RowEncoder> {
        // The usual case: no format hook and no selection, so nothing is made for the request.
        let Some(selection) = selection else {
            return self.encoder.clone();
        };
        let definition = self.service.definition;
        let elements = selection.elements.as_deref();
        let list = elements.map(|it| list_of(it, &request, segments));
        let formatters = self.formatters(caller, elements, request);
        let encoder = RowEncoder::of(definition, selection, &formatters, format);
        Arc::new(match list {
            Some(list) => encoder.with_elements(selection, &formatters, list),
            None => encoder,
        })
    }

    fn formatters(
        &self,
        caller: &Caller,
        elements: Option<&Elements>,
        request: Parts,
    ) -> Formatters {
        let (of_item, of_subresources) = (&self.service.hooks, &self.service.subresource_hooks);
        let of_elements = elements.and_then(|it| self.service.collection_hooks.get(it.index));
        let mut all = of_subresources.iter().chain(of_elements).chain([of_item]);
        if all.all(Option::is_none) {
            return Formatters::default();
        }
        // The context is made once, and shared by the hooks of the item and of its subresources.
        let request = RequestContext::new(request, caller, &self.service.clock);
        let formatter = |hooks: &Option<Arc<dyn Hooks>>| {
            hooks.as_ref().map(|hooks| Formatter::new(hooks, &request))
        };
        Formatters {
            item: formatter(of_item),
            subresources: of_subresources.iter().map(formatter).collect(),
            elements: of_elements.and_then(formatter),
        }
    }
}

/// The path of the list that a collection is a part of, with the prefix of a nested router. Its version is named, as the
/// latest one of its resource may be another.
fn list_of(elements: &Elements, request: &Parts, segments: usize) -> String {
    let path = original_uri(request).path();
    let base = path.rsplitn(segments + 1, '/').nth(segments);
    let target = elements.collection.target();
    let (version, collection) = (target.version(), target.collection());
    format!("{}/{version}/{collection}", base.unwrap_or_default())
}

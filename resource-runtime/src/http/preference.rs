//! The form of the response to a write that its client prefers (RFC 7240), and the item as one who reads it sees it.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::response::Response;
use resource_model::query::Selection;
use resource_model::schema::Operation;
use resource_model::value::Key;

use super::ServedResource;
use super::extract::{self, EntityTags, Format};
use super::respond::{self, ItemEncoder, RowEncoder, Tagging};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::operation;

/// The form of the response to a write that its client prefers.
#[derive(Debug)]
pub(super) enum Preference {
    None,
    Minimal,
    Item(Box<Representation>),
}

/// The item as a caller sees it.
#[derive(Debug)]
pub(super) struct Representation {
    caller: Caller,
    selection: Option<Selection>,
    tagging: Option<Tagging>,
    encoder: Arc<RowEncoder>,
}

impl Preference {
    /// The preference of a request. One who may not read the item, or takes no JSON, has no representation of it.
    pub(super) fn of(resource: &ServedResource, request: &Parts, caller: &Caller) -> Self {
        let shows_item = || {
            let (definition, retrieve) = (resource.service.definition, Operation::Retrieve);
            definition.offered_operations().contains(&retrieve)
                && caller.may_use(definition.access(retrieve))
                && extract::require_accepts_json(&request.headers).is_ok()
        };
        match extract::preferred_return(&request.headers) {
            Some("minimal") => Self::Minimal,
            Some("representation") if shows_item() => {
                let (caller, request) = (caller.clone(), request.clone());
                let item = Representation::of(resource, caller, None, request);
                Self::Item(Box::new(item))
            }
            _ => Self::None,
        }
    }

    /// Tests whether the write has to tell the tag, which a response with the item has of that.
    pub(super) fn wants_tag(&self, resource: &ServedResource, caller: &Caller) -> bool {
        !matches!(self, Self::Item(_)) && resource.shows_tags(caller)
    }

    /// The response to a write of the item at `path`: `empty`, or with the item, read after the commit.
    pub(super) async fn respond(
        self,
        resource: &ServedResource,
        key: &Key,
        empty: Response,
        path: &str,
    ) -> Response {
        let representation = match self {
            Self::Item(representation) => representation,
            Self::Minimal => return respond::applied(empty, "return=minimal"),
            Self::None => return empty,
        };
        // On the heap, so that the futures of other writes stay small.
        match Box::pin(representation.read(resource, key, None)).await {
            Ok(shown) => respond::represented(&empty, shown, path),
            // The write is done, so that an error would be wrong.
            Err(cause) => {
                tracing::warn!(%cause, "a written item cannot be shown to its client");
                empty
            }
        }
    }
}

impl Representation {
    /// The part of the item that is selected, by default all that the caller may read.
    pub(super) fn of(
        resource: &ServedResource,
        caller: Caller,
        selection: Option<Selection>,
        request: Parts,
    ) -> Self {
        let service = &resource.service;
        // More may be read than is shown: a format hook sees the whole item.
        let mut selection = service.selection_to_read(service.view(&caller), selection);
        let tagging = resource.tagging(&mut selection);
        let selected = selection.as_ref();
        let encoder = resource.encoder(&caller, selected, Format::Json, request, 3);
        Self {
            caller,
            selection,
            tagging,
            encoder,
        }
    }

    /// The response with the item, or 304 where the client has it as it is.
    pub(super) async fn read(
        &self,
        resource: &ServedResource,
        key: &Key,
        known: Option<&EntityTags>,
    ) -> Result<Response, Failure> {
        let (encoder, tagging) = (self.encoder.clone(), self.tagging);
        // A new encoder for each attempt to read the item.
        let item = move || ItemEncoder::new(encoder.clone(), tagging);
        let (service, selection) = (&resource.service, self.selection.as_ref());
        let item = operation::retrieve(service, &self.caller, key, selection, item).await?;
        Ok(item.into_response(known, &resource.unsent)?)
    }
}

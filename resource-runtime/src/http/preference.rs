//! The form of the response to a write that its client prefers (RFC 7240).

use std::sync::Arc;

use axum::http::request::Parts;
use axum::response::Response;
use resource_model::query::Selection;
use resource_model::schema::Operation;
use resource_model::value::Key;

use super::ServedResource;
use super::extract::{self, Format, Return};
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

/// The item as a `GET` of the caller shows it.
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
        let definition = resource.service.definition;
        let retrieve = Operation::Retrieve;
        let may_read = definition.offered_operations().contains(&retrieve)
            && caller.may_use(definition.access(retrieve));
        match extract::preferred_return(&request.headers) {
            Some(Return::Minimal) => Self::Minimal,
            Some(Return::Representation)
                if may_read && extract::require_accepts_json(&request.headers).is_ok() =>
            {
                Self::Item(Box::new(Representation::of(resource, request, caller)))
            }
            _ => Self::None,
        }
    }

    /// Tests whether the response shows the item, whose tag it then has of that.
    pub(super) const fn shows_item(&self) -> bool {
        matches!(self, Self::Item(_))
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
        match Box::pin(representation.read(resource, key)).await {
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
    fn of(resource: &ServedResource, request: &Parts, caller: &Caller) -> Self {
        let service = &resource.service;
        let mut selection = service.selection_to_read(service.view(caller), None);
        let tagging = resource.tagging(&mut selection);
        let (selected, request) = (selection.as_ref(), request.clone());
        let encoder = resource.encoder(caller, selected, Format::Json, request, 3);
        Self {
            caller: caller.clone(),
            selection,
            tagging,
            encoder,
        }
    }

    async fn read(self, resource: &ServedResource, key: &Key) -> Result<Response, Failure> {
        let Self {
            caller,
            selection,
            tagging,
            encoder,
        } = self;
        let item = move || ItemEncoder::new(encoder.clone(), tagging);
        let selection = selection.as_ref();
        let item = operation::retrieve(&resource.service, &caller, key, selection, item).await?;
        Ok(item.into_response(None, &resource.unsent)?)
    }
}

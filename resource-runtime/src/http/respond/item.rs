//! The encoder of one item as JSON, with its format hook where it has one.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use resource_model::error::{DatabaseFailure, DatabaseResult};

use super::RowEncoder;
use super::body_channel::begin_chunks;
use super::item_writer::ItemWriter;
use super::page::CHUNK;
use super::response::{JSON, entity_tag, with_header, with_room};
use super::streaming_body::StreamingBody;
use super::unsent::Unsent;
use crate::http::extract::EntityTags;
use crate::http::extract::headers::PREFERENCE_APPLIED;
use crate::operation::{RowTag, TagSource, digests};
use crate::store::{Row, RowVisitor};

/// Encodes an item while its row is lent.
#[derive(Debug)]
pub(crate) struct ItemEncoder {
    writer: ItemWriter,
    tagging: Option<Tagging>,
    tag: Option<RowTag>,
    bytes: Vec<u8>,
}

/// The place of what tells the tag of the row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tagging {
    /// The whole row is the body.
    InBody,
    /// The columns from one on; without one, those behind the columns of the body.
    InColumns(TagSource, Option<usize>),
}

impl ItemEncoder {
    pub(crate) fn new(encoder: Arc<RowEncoder>, tagging: Option<Tagging>) -> Self {
        Self {
            writer: ItemWriter::new(encoder),
            tagging,
            tag: None,
            // Most items fit; for a longer one the buffer grows.
            bytes: Vec::with_capacity(256),
        }
    }

    /// The response with the item, or 304 where the client has it as it is. A long one may wait for its client in a file,
    /// as a long page does.
    pub(crate) fn into_response(
        mut self,
        known: Option<&EntityTags>,
        unsent: &Arc<Unsent>,
    ) -> DatabaseResult<Response> {
        self.writer.end(&mut self.bytes)?;
        let tag = self.entity_tag();
        if let Some(tag) = tag.as_ref().and_then(|tag| known?.matching(tag)) {
            let response = with_room(StatusCode::NOT_MODIFIED.into_response(), Some(&tag));
            return Ok(with_header(response, header::ETAG, Some(tag)));
        }
        let response = with_room(Response::new(self.body(unsent)?), tag.as_ref());
        let response = with_header(response, header::CONTENT_TYPE, Some(JSON));
        Ok(with_header(response, header::ETAG, tag))
    }

    fn entity_tag(&self) -> Option<HeaderValue> {
        let tagging = self.tagging?;
        // One digest serves both parts where the body is the whole row.
        let (row, view) = digests(&self.bytes);
        let row = match tagging {
            Tagging::InBody => RowTag::Digest(row),
            Tagging::InColumns(..) => self.tag?,
        };
        Some(entity_tag(row, Some(view)))
    }

    fn body(self, unsent: &Arc<Unsent>) -> DatabaseResult<Body> {
        // Short items are sent without counting their bytes, like short pages.
        if self.bytes.len() <= CHUNK {
            return Ok(Body::from(self.bytes));
        }
        let length = u64::try_from(self.bytes.len()).map_err(DatabaseFailure::internal)?;
        let (_, chunks) = begin_chunks(unsent, self.bytes, true)?;
        Ok(Body::new(StreamingBody::new(chunks, None, Some(length))))
    }
}

impl RowVisitor for ItemEncoder {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        self.writer.write(row, &mut self.bytes)?;
        if let (Some(Tagging::InColumns(source, first)), None) = (self.tagging, &self.tag) {
            let behind = self.writer.encoder.width();
            self.tag = source.of_row(row, first.unwrap_or(behind))?;
        }
        Ok(())
    }

    fn runs_no_hook(&self) -> bool {
        self.writer.encoder.is_plain()
    }
}

/// The response to a write whose client prefers to see the item at `path`: what `shown` shows, with the status and headers of
/// `empty`.
pub(crate) fn represented(empty: &Response, mut shown: Response, path: &str) -> Response {
    if empty.status() == StatusCode::CREATED {
        *shown.status_mut() = StatusCode::CREATED;
    }
    let headers = shown.headers_mut();
    for (name, value) in empty.headers() {
        // The tag of the body says more than that of the row alone.
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if let Ok(path) = HeaderValue::try_from(path) {
        headers.insert(header::CONTENT_LOCATION, path);
    }
    applied(shown, "return=representation")
}

/// The response with the preference that it follows.
pub(crate) fn applied(response: Response, preference: &'static str) -> Response {
    let preference = HeaderValue::from_static(preference);
    with_header(response, PREFERENCE_APPLIED, Some(preference))
}

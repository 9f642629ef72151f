//! The encoder of one item as JSON, with its format hook where it has one.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use resource_model::error::{DatabaseFailure, DatabaseResult};

use super::RowEncoder;
use super::body_channel::ChunkReceiver;
use super::page::CHUNK;
use super::response::json;
use super::streaming_body::StreamingBody;
use super::unsent::Unsent;
use crate::store::{Row, RowVisitor};

/// Encodes an item while its row is lent.
#[derive(Debug)]
pub(crate) struct ItemEncoder {
    encoder: Arc<RowEncoder>,
    bytes: Vec<u8>,
}

impl ItemEncoder {
    pub(crate) fn new(encoder: Arc<RowEncoder>) -> Self {
        Self {
            encoder,
            // Most items fit; for a longer one the buffer grows.
            bytes: Vec::with_capacity(256),
        }
    }

    /// The response with the item. A long one may wait for its client in a file, as a long page does.
    pub(crate) fn into_response(self, unsent: &Arc<Unsent>) -> DatabaseResult<Response> {
        // Short items are sent without counting their bytes, like short pages.
        if self.bytes.len() <= CHUNK {
            return Ok(json(self.bytes));
        }
        let length = u64::try_from(self.bytes.len()).map_err(DatabaseFailure::internal)?;
        let chunks = ChunkReceiver::of(unsent, self.bytes)?;
        Ok(json(Body::new(StreamingBody::whole(chunks, length))))
    }
}

impl RowVisitor for ItemEncoder {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        self.encoder.write(row, &mut self.bytes)
    }

    fn is_quick(&self) -> bool {
        self.encoder.is_plain()
    }
}

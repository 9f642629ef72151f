//! The response with all items of a list, read by their key in statements of a bounded size. Each is read only once its
//! client has got the one before, so that neither memory nor the disk holds more than two, and none holds a snapshot.

use std::sync::Arc;

use axum::response::Response;
use resource_model::error::DatabaseResult;
use resource_model::query::{ListQuery, Seek};

use super::ServedResource;
use super::respond::{self, Batch, ChunkSender, RowEncoder, begin_chunks, streaming_response};
use crate::authorization::Caller;
use crate::operation;

/// The number of rows that the first statement reads, since nobody knows yet how long they are, and the greatest number.
const FIRST_ROWS: usize = 32;
const MAX_ROWS: usize = 1000;

/// A list of all items, at the place of its next batch.
pub(super) struct Export {
    pub(super) resource: Arc<ServedResource>,
    pub(super) caller: Caller,
    pub(super) query: ListQuery,
    pub(super) encoder: Arc<RowEncoder>,
}

impl Export {
    /// Responds with the first batch, and sends the others as the client gets them. A failure of the first is an error
    /// response, any later one cuts the body off.
    pub(super) async fn respond(mut self) -> DatabaseResult<Response> {
        self.query.limit = limit(FIRST_ROWS);
        self.query.seek = Some(Seek::default());
        let format = self.encoder.format;
        let (bytes, is_last) = self.next().await?;
        if is_last {
            return Ok(respond::list(format, bytes));
        }
        let (sender, chunks) = begin_chunks(&self.resource.unsent, bytes, false)?;
        Ok(streaming_response(format, chunks, self.send_rest(sender)))
    }

    async fn send_rest(mut self, sender: ChunkSender) -> DatabaseResult<()> {
        loop {
            sender.taken().await;
            let (bytes, is_last) = self.next().await?;
            sender.send(bytes, is_last)?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// The next batch, and true where it is the last one.
    async fn next(&mut self) -> DatabaseResult<(Vec<u8>, bool)> {
        let service = &self.resource.service;
        let (encoder, definition) = (Arc::clone(&self.encoder), service.definition);
        let is_first = matches!(&self.query.seek, Some(Seek { beside: None, .. }));
        let batch = move || Batch::new(Arc::clone(&encoder), definition, is_first);
        let (batch, rows) = operation::list(service, &self.caller, &self.query, batch).await?;
        let is_last = rows < self.query.limit && !batch.is_full;
        // Long rows come in smaller batches, so that few are read twice.
        self.query.limit = limit(batch.usual_rows().min(MAX_ROWS));
        self.query.seek = Some(Seek {
            beside: batch.last,
            ..Seek::default()
        });
        Ok((batch.bytes, is_last))
    }
}

fn limit(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

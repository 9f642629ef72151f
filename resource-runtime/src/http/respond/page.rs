//! The encoder of a page: its items are written while rows are read, in chunks where the page is long.

use std::io::Write as _;
use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::http::header;
use axum::response::Response;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use tracing::Instrument as _;

use super::body_channel::{BodyChannel, ChunkReceiver, ChunkSender, begin_chunks};
use super::item_writer::ItemWriter;
use super::response::{list, with_header};
use super::streaming_body::StreamingBody;
use super::{RowEncoder, links};
use crate::http::extract::Format;
use crate::store::{Neighbours, Row, RowVisitor};

/// Length in bytes of a chunk. A page that reaches it is sent in chunks of about this length, each of which
/// ends with the item that reached it.
pub(super) const CHUNK: usize = 64 * 1024;

/// Capacity of the buffer of a page at its beginning, which grows as it needs.
const INITIAL_CAPACITY: usize = 4096;

/// Capacity of the buffer of a further chunk, which does not grow where items are of usual length.
const CHUNK_CAPACITY: usize = CHUNK + CHUNK / 8;

/// Encodes the items of a page while their rows are lent.
#[derive(Debug)]
pub(crate) struct PageEncoder {
    writer: ItemWriter,
    bytes: Vec<u8>,
    channel: Arc<BodyChannel>,
    /// None while the page is short.
    sender: Option<ChunkSender>,
    /// The receiver of the chunks, kept here where no chunk may be sent before the page is read to its end.
    receiver: Option<ChunkReceiver>,
    /// Number of bytes that went into the queue of chunks.
    queued: usize,
    should_yield: bool,
    is_counted: bool,
    /// The pages beside, and the URL up to their cursors; none of a page that is not read by cursor.
    neighbours: Option<(Neighbours, Arc<str>)>,
}

impl PageEncoder {
    /// The encoder of a page, with its total if that `is_counted`. One that is read by cursor has pages beside, with the URL
    /// up to their cursors.
    pub(crate) fn new(
        encoder: Arc<RowEncoder>,
        channel: Arc<BodyChannel>,
        neighbours: Option<(Neighbours, Arc<str>)>,
        is_counted: bool,
    ) -> Self {
        let mut bytes = Vec::with_capacity(INITIAL_CAPACITY);
        // The page begins before anything is read: a failure before the first chunk drops these bytes.
        bytes.extend_from_slice(encoder.header.as_bytes());
        Self {
            writer: ItemWriter::new(encoder),
            bytes,
            channel,
            sender: None,
            receiver: None,
            queued: 0,
            should_yield: false,
            is_counted,
            neighbours,
        }
    }

    /// The response with a whole page, of which no chunk is on its way to the client yet. The total is its last member, as
    /// it is known last; lists of lines have none.
    pub(crate) fn into_response(self, total: u64) -> DatabaseResult<Response> {
        let (prev, next) = self.cursors();
        let url = self.neighbours.as_ref().map(|(_, url)| Arc::clone(url));
        let response = self.respond(total, next.as_deref())?;
        // The head must not show that rows were read before it was sent: the place behind them is not known then.
        let has_length = response.body().size_hint().exact().is_some();
        let next = next.as_deref().filter(|_| has_length);
        let links = url.and_then(|url| links(&url, prev.as_deref(), next));
        Ok(with_header(response, header::LINK, links))
    }

    /// The cursors of the pages before and behind; none of a page that is not read by cursor.
    fn cursors(&self) -> (Option<String>, Option<String>) {
        let neighbours = self.neighbours.as_ref();
        neighbours.map_or_else(Default::default, |(it, _)| it.cursors())
    }

    fn respond(mut self, total: u64, next: Option<&str>) -> DatabaseResult<Response> {
        let format = self.writer.encoder.format;
        // A page that never filled a chunk: the usual one.
        if self.sender.is_none() {
            self.write_end(total, next)?;
            return Ok(list(format, self.bytes));
        }
        let held = self.receiver.take();
        let is_held = held.is_some();
        // The chunks are taken first: the end drops the sender, without which they count as those of an abandoned
        // attempt.
        let chunks = held.or_else(|| self.channel.take()).ok_or_else(|| {
            DatabaseFailure::internal("the chunks of the page were taken already")
        })?;
        let length = self.send_end(total, next)?;
        // Sent only for a page that was held back until its end: otherwise the race between reading and sending would
        // decide whether a response has a `Content-Length`.
        let body = StreamingBody::new(chunks, None, is_held.then_some(length));
        Ok(list(format, Body::new(body)))
    }

    /// Ends a page whose chunks are queued, and returns its length.
    pub(crate) fn end(self, total: u64) -> DatabaseResult<u64> {
        let (_, next) = self.cursors();
        self.send_end(total, next.as_deref())
    }

    fn send_end(mut self, total: u64, next: Option<&str>) -> DatabaseResult<u64> {
        self.write_end(total, next)?;
        let length = self.queued + self.bytes.len();
        // An attempt that queued nothing cannot end a response that has begun with another one's chunks.
        let sender = self.sender.ok_or_else(|| {
            DatabaseFailure::internal("what is sent was read by an earlier attempt")
        })?;
        sender.send(self.bytes, true)?;
        u64::try_from(length).map_err(DatabaseFailure::internal)
    }

    fn write_end(&mut self, total: u64, next: Option<&str>) -> DatabaseResult<()> {
        self.writer.end(&mut self.bytes)?;
        if self.writer.encoder.format != Format::Json {
            return Ok(());
        }
        self.bytes.push(b']');
        if self.is_counted {
            let written = write!(self.bytes, ",\"totalItems\":{total}");
            written.map_err(DatabaseFailure::internal)?;
        }
        if self.neighbours.is_some() {
            let quote = if next.is_some() { "\"" } else { "" };
            for part in [",\"next\":", quote, next.unwrap_or("null"), quote] {
                self.bytes.extend_from_slice(part.as_bytes());
            }
        }
        self.bytes.push(b'}');
        Ok(())
    }

    fn send_chunk(&mut self) -> DatabaseResult<()> {
        // A new buffer, as the queue keeps this one until it is sent.
        let mut chunk = std::mem::replace(&mut self.bytes, Vec::with_capacity(CHUNK_CAPACITY));
        // A slow client should not hold the spare capacity of a buffer that has grown.
        if chunk.capacity() > CHUNK_CAPACITY {
            chunk.shrink_to_fit();
        }
        self.queued += chunk.len();
        // Encoding a chunk takes a while, and other tasks of the thread have waited for it.
        self.should_yield = true;
        match &self.sender {
            Some(sender) => sender.send(chunk, false)?,
            None if self.may_stream() => {
                self.sender = Some(self.channel.offer(chunk)?);
            }
            None => {
                let (sender, chunks) = begin_chunks(&self.channel.unsent, chunk, false)?;
                (self.sender, self.receiver) = (Some(sender), Some(chunks));
            }
        }
        Ok(())
    }

    /// Tests whether the response may begin before the page is read to its end. It may not where a hook formats items, because
    /// a failing hook is a defect, which must become a 500; where the client would not notice that the page was cut off; and
    /// where the rows decide about a link to the page before.
    fn may_stream(&self) -> bool {
        let neighbours = self.neighbours.as_ref();
        let is_backward = neighbours.is_some_and(|(it, _)| it.is_backward());
        self.writer.encoder.is_plain() && self.channel.client_notices_cut_off && !is_backward
    }
}

/// Responds with the first chunks of a list while a task reads the rest, however fast the client receives it.
pub(crate) fn streaming_response<T: Send>(
    format: Format,
    chunks: ChunkReceiver,
    reading: impl Future<Output = DatabaseResult<T>> + Send + 'static,
) -> Response {
    let reading = async {
        if let Err(failure) = reading.await {
            // A client that disconnects is no failure: its body aborted this task before it dropped the chunks,
            // and the abort takes effect at this yield, before anything is logged.
            tokio::task::yield_now().await;
            tracing::error!(
                cause = %failure,
                "a list was cut off: it could not be read to its end"
            );
        }
    };
    let reading = tokio::spawn(reading.in_current_span());
    let body = StreamingBody::new(chunks, Some(reading), None);
    list(format, Body::new(body))
}

impl RowVisitor for PageEncoder {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        if let Some((neighbours, _)) = &mut self.neighbours
            && !neighbours.admits(row)?
        {
            return Ok(());
        }
        self.writer.write(row, &mut self.bytes)?;
        // Tested after each row, so that a chunk never ends within an object of one.
        if self.bytes.len() >= CHUNK {
            self.send_chunk()?;
        }
        Ok(())
    }

    fn runs_no_hook(&self) -> bool {
        self.writer.encoder.is_plain()
    }

    fn should_yield(&mut self) -> bool {
        std::mem::take(&mut self.should_yield)
    }

    fn may_begin(&self) -> bool {
        // Chunks that are being sent cannot be replaced by another attempt.
        !self.channel.is_taken()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hyper::body::Body as _;
    use resource_model::error::DatabaseResult;
    use resource_model::query::Selection;
    use resource_model::schema::{Attribute, ResourceDefinition, Version};
    use resource_model::value::ValueRef;

    use super::{CHUNK, PageEncoder};
    use crate::authorization::View;
    use crate::http::extract::Format;
    use crate::http::respond::{BodyChannel, Formatters, RowEncoder, Unsent};
    use crate::store::{Row, RowVisitor as _};

    struct Text(String);

    impl Row for Text {
        fn value(&self, _: usize) -> DatabaseResult<ValueRef<'_>> {
            Ok(ValueRef::Text(&self.0))
        }
    }

    fn long() -> Text {
        Text("a".repeat(CHUNK))
    }

    fn channel() -> Arc<BodyChannel> {
        Arc::new(BodyChannel::new(Arc::new(Unsent::new(10 * CHUNK, 0)), true))
    }

    /// Makes an encoder for each attempt to read the same page.
    fn attempts(channel: &Arc<BodyChannel>) -> impl Fn() -> PageEncoder {
        const ATTRIBUTES: &[Attribute] = &[Attribute::of::<String>("text")];
        let definition =
            ResourceDefinition::new("Letter", "letters", Version::new(1, 0)).attributes(ATTRIBUTES);
        let selection = Selection::all(View::unrestricted(&definition));
        let encoder = Arc::new(RowEncoder::of(
            &definition,
            &selection,
            &Formatters::default(),
            Format::Json,
        ));
        let channel = Arc::clone(channel);
        move || PageEncoder::new(encoder.clone(), channel.clone(), None, true)
    }

    #[tokio::test]
    async fn abandoned_attempt_leaves_nothing_in_the_response() {
        let channel = channel();
        let attempt = attempts(&channel);
        let mut abandoned = attempt();
        abandoned.visit(&long()).unwrap();
        drop(abandoned);
        let response = attempt().into_response(0).unwrap();
        let empty = br#"{"items":[],"totalItems":0}"#;
        let length = u64::try_from(empty.len()).unwrap();
        assert_eq!(response.body().size_hint().exact(), Some(length));
    }

    #[tokio::test]
    async fn streamed_page_is_not_ended_by_another_attempt() {
        let channel = channel();
        let attempt = attempts(&channel);
        let mut first = attempt();
        first.visit(&long()).unwrap();
        let _sent = channel.chunks().await;
        assert!(attempt().end(0).is_err());
        assert!(attempt().visit(&long()).is_err());
        first.visit(&long()).unwrap();
        first.end(2).unwrap();
    }

    #[tokio::test]
    async fn chunk_is_sent_at_64_kib() {
        let channel = channel();
        let mut page = attempts(&channel)();
        let frame = r#"{"items":[{"text":""}"#.len();
        page.visit(&Text("a".repeat(CHUNK - frame - 1))).unwrap();
        assert!(channel.take().is_none());
        page.visit(&Text(String::new())).unwrap();
        assert!(channel.take().is_some());
    }
}

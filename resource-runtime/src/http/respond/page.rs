//! The encoder of a page: its items become JSON while rows are read, in pieces where the page is long.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use resource_model::error::{DatabaseFailure, DatabaseResult};
use tokio::task::JoinHandle;

use super::RowEncoder;
use super::body_channel::{BodyChannel, ChunkReceiver, ChunkSender};
use super::response::json;
use super::streaming_body::StreamingBody;
use crate::store::{Row, RowVisitor};

/// Length in bytes from which a page is sent in pieces of about this length, each of which ends with the
/// item that made it so long.
pub(super) const CHUNK: usize = 64 * 1024;

/// Capacity of the buffer of a page at its beginning, which grows as it needs.
const SHORT: usize = 1024;

/// Capacity of the buffer of a further piece, which does not grow where items are of usual length.
const ROOM: usize = CHUNK + CHUNK / 8;

/// Encodes the items of a page while their rows are lent.
#[derive(Debug)]
pub(crate) struct PageEncoder {
    encoder: Arc<RowEncoder>,
    bytes: Vec<u8>,
    empty: bool,
    channel: Arc<BodyChannel>,
    /// None while the page is short.
    sender: Option<ChunkSender>,
    /// The given pieces, where none may be sent before all are read.
    kept: Option<ChunkReceiver>,
    /// Number of bytes that were given.
    given: usize,
    should_yield: bool,
}

impl PageEncoder {
    pub(crate) fn new(encoder: Arc<RowEncoder>, channel: Arc<BodyChannel>) -> Self {
        let mut bytes = Vec::with_capacity(SHORT);
        bytes.extend_from_slice(b"{\"items\":[");
        Self {
            encoder,
            bytes,
            empty: true,
            channel,
            sender: None,
            kept: None,
            given: 0,
            should_yield: false,
        }
    }

    /// The response with a whole page, of which nothing is being sent yet. The total stands last in it, as
    /// it is known last.
    pub(crate) fn into_response(mut self, total: u64) -> DatabaseResult<Response> {
        if self.sender.is_none() {
            self.write_end(total);
            return Ok(json(self.bytes));
        }
        if let Some(chunks) = self.kept.take() {
            let length = self.end(total)?;
            return Ok(json(Body::new(StreamingBody::whole(chunks, length))));
        }
        // No length is told, though it is known: the page alone decides on that, never the speed of reading.
        let chunks = self.channel.take();
        let chunks = chunks.ok_or_else(|| DatabaseFailure::internal("others send the page"))?;
        self.end(total)?;
        Ok(json(Body::new(StreamingBody::new(chunks, None))))
    }

    /// Ends a page that is being sent, and returns its length.
    pub(crate) fn end(mut self, total: u64) -> DatabaseResult<u64> {
        self.write_end(total);
        let length = self.given + self.bytes.len();
        let sender = self.sender.ok_or_else(|| {
            DatabaseFailure::internal("what is sent was read by an earlier attempt")
        })?;
        sender.give(self.bytes, true)?;
        u64::try_from(length).map_err(DatabaseFailure::internal)
    }

    fn write_end(&mut self, total: u64) {
        let end = format!("],\"totalItems\":{total}}}");
        self.bytes.extend_from_slice(end.as_bytes());
    }

    fn send_chunk(&mut self) -> DatabaseResult<()> {
        let mut chunk = std::mem::replace(&mut self.bytes, Vec::with_capacity(ROOM));
        // A slow client should not hold the spare capacity of a buffer that has grown.
        if chunk.capacity() > ROOM {
            chunk.shrink_to_fit();
        }
        self.given += chunk.len();
        self.should_yield = true;
        match &self.sender {
            Some(sender) => sender.give(chunk, false)?,
            None if self.encoder.is_plain() && self.channel.can_be_cut_off => {
                self.sender = Some(self.channel.offer(chunk)?);
            }
            // A page that a hook formats is kept to its end, because a failing hook is a defect, which has an
            // answer of its own. So is a page whose client could not tell that it was cut off.
            None => {
                let (sender, chunks) = self.channel.begin(chunk)?;
                (self.sender, self.kept) = (Some(sender), Some(chunks));
            }
        }
        Ok(())
    }
}

/// The response whose pieces come while `reading` goes on.
pub(crate) fn streaming_response(chunks: ChunkReceiver, reading: JoinHandle<()>) -> Response {
    json(Body::new(StreamingBody::new(chunks, Some(reading))))
}

impl RowVisitor for PageEncoder {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        if !self.empty {
            self.bytes.push(b',');
        }
        self.empty = false;
        self.encoder.write(row, &mut self.bytes)?;
        if self.bytes.len() >= CHUNK {
            self.send_chunk()?;
        }
        Ok(())
    }

    fn is_quick(&self) -> bool {
        self.encoder.is_plain()
    }

    fn should_yield(&mut self) -> bool {
        std::mem::take(&mut self.should_yield)
    }

    fn may_begin(&self) -> bool {
        // Pieces that are being sent cannot be taken back for another attempt.
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
        ));
        let channel = Arc::clone(channel);
        move || PageEncoder::new(encoder.clone(), channel.clone())
    }

    #[tokio::test]
    async fn an_attempt_of_which_nothing_was_taken_leaves_nothing() {
        let channel = channel();
        let attempt = attempts(&channel);
        let mut given_up = attempt();
        given_up.visit(&long()).unwrap();
        drop(given_up);
        let answer = attempt().into_response(0).unwrap();
        let empty = br#"{"items":[],"totalItems":0}"#;
        let length = u64::try_from(empty.len()).unwrap();
        assert_eq!(answer.body().size_hint().exact(), Some(length));
    }

    #[tokio::test]
    async fn what_is_being_sent_is_not_ended_by_another_attempt() {
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
    async fn a_piece_is_due_at_64_kib() {
        let channel = channel();
        let mut page = attempts(&channel)();
        let around = r#"{"items":[{"text":""}"#.len();
        page.visit(&Text("a".repeat(CHUNK - around - 1))).unwrap();
        assert!(channel.take().is_none());
        page.visit(&Text(String::new())).unwrap();
        assert!(channel.take().is_some());
    }
}

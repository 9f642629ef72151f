//! The body of a long response, sent in chunks: a page that may still be read meanwhile, or a page or an item that
//! is complete and waits in `Unsent`.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::task::JoinHandle;

use super::body_channel::ChunkReceiver;
use super::spill::Spilled;
use super::unsent::Waiting;

/// The body of a long response. Dropped before its end, it aborts the reading of a page, too.
#[derive(Debug)]
pub(super) struct StreamingBody {
    /// `None` once the body is at its end.
    source: Option<Source>,
    /// Number of bytes that are left to send, where the response announces its length.
    left: Option<u64>,
}

#[derive(Debug)]
struct Source {
    chunks: ChunkReceiver,
    /// The rest of a chunk that lies in the file.
    part: Option<Spilled>,
    /// True once the last chunk has come.
    is_last: bool,
    /// The task that reads the page; `None` where the page is read to its end.
    reading: Option<JoinHandle<()>>,
}

/// The error of a page that was sent in part and could not be read to its end; the cause is logged.
type BodyAborted = &'static str;

const CUT_OFF: BodyAborted = "the page could not be read to its end";

impl StreamingBody {
    /// A body of the chunks, to which `reading` adds; `left` is the length of a page that is read to its end.
    pub(super) const fn new(
        chunks: ChunkReceiver,
        reading: Option<JoinHandle<()>>,
        left: Option<u64>,
    ) -> Self {
        let source = Some(Source {
            chunks,
            part: None,
            is_last: false,
            reading,
        });
        Self { source, left }
    }
}

impl Source {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Bytes, BodyAborted>> {
        if self.part.is_none() {
            // A channel that closes without a last chunk: the reading has failed, or was aborted.
            let Some(chunk) = ready!(self.chunks.poll(context)) else {
                // The reading has logged the cause.
                return Poll::Ready(Err(CUT_OFF));
            };
            // A chunk in the file takes several reads, so the mark is kept until its last one.
            self.is_last = chunk.is_last;
            match chunk.waiting {
                Waiting::InMemory(bytes) => return Poll::Ready(Ok(bytes)),
                Waiting::InFile(part) => self.part = Some(part),
            }
        }
        Poll::Ready(self.part())
    }

    /// The next bytes of the chunk that lies in the file.
    fn part(&mut self) -> Result<Bytes, BodyAborted> {
        let Some(part) = &mut self.part else {
            return Err(CUT_OFF);
        };
        let bytes = self.chunks.read(part).map_err(|error| {
            // Aborted before its chunks are dropped, so that it logs no second cause.
            if let Some(reading) = &self.reading {
                reading.abort();
            }
            tracing::error!(
                %error,
                "a response was cut off: the temporary file of unsent responses cannot be read"
            );
            CUT_OFF
        })?;
        if part.left() == 0 {
            self.part = None;
        }
        Ok(bytes)
    }

    const fn is_over(&self) -> bool {
        self.is_last && self.part.is_none()
    }
}

impl Body for StreamingBody {
    type Data = Bytes;
    type Error = BodyAborted;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyAborted>>> {
        let Some(source) = &mut self.source else {
            return Poll::Ready(None);
        };
        let bytes = ready!(source.poll(context));
        if bytes.is_err() || source.is_over() {
            // No abort is needed: the reading has sent its last chunk, or has ended already.
            self.source = None;
        }
        if let (Some(left), Ok(bytes)) = (&mut self.left, &bytes) {
            *left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        }
        Poll::Ready(Some(bytes.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map(SizeHint::with_exact).unwrap_or_default()
    }

    fn is_end_stream(&self) -> bool {
        self.source.is_none()
    }
}

impl Drop for StreamingBody {
    fn drop(&mut self) {
        // Aborted before the chunks are dropped: a reading whose chunk cannot be sent must already be aborted,
        // or it would log a failure.
        let source = self.source.as_ref();
        if let Some(reading) = source.and_then(|it| it.reading.as_ref()) {
            reading.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;

    use http_body_util::BodyExt as _;
    use hyper::body::Body as _;

    use super::StreamingBody;
    use crate::http::respond::body_channel::BodyChannel;
    use crate::http::respond::unsent::Unsent;

    fn chunk() -> Vec<u8> {
        b"chunk".to_vec()
    }

    fn channel() -> BodyChannel {
        BodyChannel::new(Arc::new(Unsent::new(1024, 0)), true)
    }

    #[tokio::test]
    async fn last_chunk_ends_the_body() {
        let channel = channel();
        let sender = channel.offer(chunk()).unwrap();
        sender.send(chunk(), false).unwrap();
        sender.send(chunk(), true).unwrap();
        let mut body = StreamingBody::new(channel.take().unwrap(), None, None);
        drop(sender);
        for chunks_left in (0..3).rev() {
            assert_eq!(body.size_hint().exact(), None);
            let frame = body.frame().await.unwrap().unwrap();
            assert_eq!(frame.into_data().unwrap(), chunk());
            assert_eq!(body.is_end_stream(), chunks_left == 0);
        }
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn page_that_is_not_read_to_its_end_is_cut_off() {
        let channel = channel();
        let sender = channel.offer(chunk()).unwrap();
        let mut body = StreamingBody::new(channel.take().unwrap(), None, None);
        drop(sender);
        assert!(body.frame().await.unwrap().is_ok());
        assert!(body.frame().await.unwrap().is_err());
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn dropped_body_aborts_the_reading() {
        let channel = channel();
        let sender = channel.offer(chunk()).unwrap();
        let (ended, end) = tokio::sync::oneshot::channel::<()>();
        let reading = tokio::spawn(async move {
            let _held = (sender, ended);
            pending::<()>().await;
        });
        drop(StreamingBody::new(
            channel.take().unwrap(),
            Some(reading),
            None,
        ));
        assert!(end.await.is_err());
    }
}

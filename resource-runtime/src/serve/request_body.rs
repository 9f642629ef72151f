use std::error::Error;
use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

use super::clock::Clock;
use crate::error::LateBody;

/// The body of a request, which fails when it is not whole in time.
///
/// The whole of it has a limit, not the pause between two pieces: a client that sends a byte now
/// and then has no pause to speak of.
pub(super) struct RequestBody {
    incoming: Incoming,
    limit: Duration,
    clock: Arc<Clock>,
    ended: bool,
    /// Most bodies are there with their heads and never need a timer.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    pub(super) fn new(incoming: Incoming, limit: Duration, clock: Arc<Clock>) -> Self {
        Self {
            incoming,
            limit,
            clock,
            ended: false,
            timer: None,
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(context) {
            self.ended = !matches!(frame, Some(Ok(_)));
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Some(Err(LateBody { limit }.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if !self.ended && !self.is_end_stream() {
            self.clock.leave_unread();
        }
    }
}

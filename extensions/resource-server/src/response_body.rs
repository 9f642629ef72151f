//! The body of a response, given to the connection in chunks so that slow clients are noticed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::body::{Body as AnyBody, Bytes};
use hyper::body::{Body, Frame, SizeHint};

use crate::in_flight::InFlight;

/// Largest chunk given to the connection at once. Hyper polls for the next one when the client has received
/// most of it, which is how the response timeout sees progress.
const CHUNK: usize = 64 * 1024;

/// The body of a response, which starts and stops the response timeout of its request.
pub(crate) struct ResponseBody {
    body: AnyBody,
    in_flight: InFlight,
    /// Rest of a frame longer than a chunk.
    rest: Bytes,
    /// The previous chunk; `None` before the first, and for a body of one chunk, which needs no tracking.
    outstanding: Option<Arc<OutstandingChunk>>,
}

impl ResponseBody {
    pub(crate) fn new(body: AnyBody, mut in_flight: InFlight) -> Self {
        // The head of the response is what the client has to receive first.
        in_flight.pass_to_client();
        Self {
            body,
            in_flight,
            rest: Bytes::new(),
            outstanding: None,
        }
    }

    fn next_chunk(&mut self) -> Frame<Bytes> {
        let length = self.rest.len().min(CHUNK);
        let chunk = self.rest.split_to(length);
        // Nothing waits for the drop of the last chunk.
        if self.is_end_stream() {
            return Frame::data(chunk);
        }
        let outstanding = self.outstanding.get_or_insert_default();
        Frame::data(OutstandingChunk::track(outstanding, chunk))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        // One chunk at a time: hyper would buffer further ones, which hides a stalled client and costs memory.
        let outstanding = self.outstanding.as_ref();
        if outstanding.is_some_and(|chunk| chunk.is_held(context)) {
            return Poll::Pending;
        }
        // The previous chunk was received: that is progress of the client, and its timeout starts again.
        if !self.rest.is_empty() {
            self.in_flight.pass_to_client();
            return Poll::Ready(Some(Ok(self.next_chunk())));
        }
        // A stream of the app that has no item yet is no fault of the client.
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
            self.in_flight.pass_to_server();
            return Poll::Pending;
        };
        self.in_flight.pass_to_client();
        Poll::Ready(frame.map(|frame| {
            frame.map(|frame| match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.next_chunk()
                }
                // Trailers pass as they are: they are small, and nothing follows them.
                Err(trailers) => trailers,
            })
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let mut hint = self.body.size_hint();
        // The upper bound first: a lower bound above the upper one would panic.
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(hint.lower().saturating_add(rest));
        hint
    }
}

/// State of the latest chunk: held by the connection until its client has received it.
#[derive(Debug, Default)]
pub(crate) struct OutstandingChunk(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_held: bool,
    waker: Option<Waker>,
}

/// A chunk that wakes the body when the connection drops it.
struct TrackedChunk {
    bytes: Bytes,
    outstanding: Arc<OutstandingChunk>,
}

impl OutstandingChunk {
    pub(crate) fn track(outstanding: &Arc<Self>, bytes: Bytes) -> Bytes {
        // Set before the chunk exists, so that its drop cannot come first.
        outstanding.state().is_held = true;
        let outstanding = Arc::clone(outstanding);
        Bytes::from_owner(TrackedChunk { bytes, outstanding })
    }

    /// Tests for a chunk still held by the connection; if so, the task is woken at its drop.
    pub(crate) fn is_held(&self, context: &Context<'_>) -> bool {
        let mut state = self.state();
        if state.is_held {
            state.waker = Some(context.waker().clone());
        }
        state.is_held
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock holds no half-made change, because none of them panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<[u8]> for TrackedChunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for TrackedChunk {
    fn drop(&mut self) {
        let mut state = self.outstanding.state();
        state.is_held = false;
        let waker = state.waker.take();
        // The woken task may take the lock at once.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use axum::body::{Body as AnyBody, Bytes};
    use http_body_util::BodyExt as _;
    use hyper::body::{Body, Frame};

    use super::{CHUNK, ResponseBody};
    use crate::connection_state::ConnectionState;
    use crate::in_flight::InFlight;
    use crate::options::Limits;

    fn state() -> Arc<ConnectionState> {
        Arc::new(ConnectionState::start(Limits::DEFAULT))
    }

    fn response_body(state: &Arc<ConnectionState>, body: AnyBody) -> ResponseBody {
        ResponseBody::new(body, InFlight::begin(state))
    }

    async fn is_pending(body: &mut ResponseBody) -> bool {
        poll_fn(|context| Poll::Ready(Pin::new(&mut *body).poll_frame(context).is_pending())).await
    }

    /// A body that is never ready, like a stream without an item yet.
    struct Never;

    impl Body for Never {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
            Poll::Pending
        }
    }

    #[tokio::test]
    async fn no_deadline_while_a_streaming_body_is_pending() {
        let state = state();
        let mut response = response_body(&state, AnyBody::new(Never));
        assert!(state.deadline().is_some());
        assert!(is_pending(&mut response).await);
        assert_eq!(state.deadline(), None);
    }

    #[tokio::test]
    async fn long_body_is_split_into_chunks() {
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(CHUNK * 2 + 1).collect();
        let mut response = response_body(&state(), AnyBody::from(bytes.clone()));
        let mut received = Vec::new();
        let mut lengths = Vec::new();
        while !response.is_end_stream() {
            let left = u64::try_from(bytes.len() - received.len()).unwrap();
            assert_eq!(response.size_hint().exact(), Some(left));
            let chunk = response
                .frame()
                .await
                .unwrap()
                .unwrap()
                .into_data()
                .unwrap();
            lengths.push(chunk.len());
            received.extend_from_slice(&chunk);
        }
        assert_eq!(lengths, [CHUNK, CHUNK, 1]);
        assert!(received == bytes);
    }

    #[tokio::test]
    async fn next_chunk_waits_for_the_drop_of_the_previous_one() {
        let state = state();
        let mut response = response_body(&state, AnyBody::from(vec![0; CHUNK * 2]));
        let first = response.frame().await.unwrap().unwrap();
        assert!(is_pending(&mut response).await);
        // The response timeout still runs: the client has bytes to receive.
        assert!(state.deadline().is_some());
        drop(first);
        assert!(response.frame().await.unwrap().is_ok());
        assert!(response.is_end_stream());
    }

    #[tokio::test]
    async fn dropped_response_leaves_the_connection_idle() {
        let state = state();
        drop(response_body(&state, AnyBody::new(Never)));
        let idle = state.deadline().unwrap() - tokio::time::Instant::now();
        assert!(idle > Duration::from_mins(1), "{idle:?}");
    }
}

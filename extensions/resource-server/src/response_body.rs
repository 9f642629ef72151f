//! The body of a response, handed to the connection piece by piece.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::body::{Body as AnyBody, Bytes};
use hyper::body::{Body, Frame, SizeHint};

use crate::in_flight::InFlight;

/// The longest piece that is handed to the connection at once. It asks for the next one when the
/// client has taken most of what it has, and by that the client is seen to go on.
const CHUNK: usize = 64 * 1024;

/// The body of an answer, which tells its exchange whose turn it is.
pub(crate) struct ResponseBody {
    body: AnyBody,
    in_flight: InFlight,
    /// What is left of a frame that was longer than a piece.
    rest: Bytes,
    /// The piece before the next one, where there is to be one.
    before: Option<Arc<LentChunk>>,
}

impl ResponseBody {
    pub(crate) fn new(body: AnyBody, mut in_flight: InFlight) -> Self {
        in_flight.pass_to_client();
        Self {
            body,
            in_flight,
            rest: Bytes::new(),
            before: None,
        }
    }

    fn piece(&mut self) -> Frame<Bytes> {
        let length = self.rest.len().min(CHUNK);
        let piece = self.rest.split_to(length);
        if self.is_end_stream() {
            return Frame::data(piece);
        }
        let lent = self.before.get_or_insert_default();
        Frame::data(LentChunk::lend(lent, piece))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        // A connection would take more than it can send at once, and keep it for its client.
        let before = self.before.as_ref();
        if before.is_some_and(|before| before.is_out(context)) {
            return Poll::Pending;
        }
        if !self.rest.is_empty() {
            self.in_flight.pass_to_client();
            return Poll::Ready(Some(Ok(self.piece())));
        }
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
            self.in_flight.pass_to_server();
            return Poll::Pending;
        };
        self.in_flight.pass_to_client();
        Poll::Ready(frame.map(|frame| {
            frame.map(|frame| match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.piece()
                }
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
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(hint.lower().saturating_add(rest));
        hint
    }
}

/// The piece of a response that the connection holds and its client has not taken.
#[derive(Debug, Default)]
pub(crate) struct LentChunk(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_out: bool,
    waiting: Option<Waker>,
}

/// A piece that tells when the connection lets go of it.
struct Chunk {
    bytes: Bytes,
    lent: Arc<LentChunk>,
}

impl LentChunk {
    pub(crate) fn lend(lent: &Arc<Self>, bytes: Bytes) -> Bytes {
        lent.state().is_out = true;
        let lent = Arc::clone(lent);
        Bytes::from_owner(Chunk { bytes, lent })
    }

    /// Whether the last piece is still held; whoever asks is woken once it is not.
    pub(crate) fn is_out(&self, context: &Context<'_>) -> bool {
        let mut state = self.state();
        if state.is_out {
            state.waiting = Some(context.waker().clone());
        }
        state.is_out
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in the lock can panic half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let mut state = self.lent.state();
        state.is_out = false;
        let waiting = state.waiting.take();
        drop(state);
        if let Some(waiting) = waiting {
            waiting.wake();
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

    fn answer(state: &Arc<ConnectionState>, body: AnyBody) -> ResponseBody {
        ResponseBody::new(body, InFlight::begin(state))
    }

    /// A body that is never ready, as one whose items come when they come.
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
    async fn a_client_that_waits_for_a_stream_is_not_late() {
        let state = state();
        let mut answer = answer(&state, AnyBody::new(Never));
        assert!(state.deadline().is_some());
        let asked = poll_fn(|context| {
            let polled = Pin::new(&mut answer).poll_frame(context);
            Poll::Ready(polled.is_pending())
        });
        assert!(asked.await);
        assert_eq!(state.deadline(), None);
    }

    #[tokio::test]
    async fn a_long_answer_is_handed_out_in_pieces_and_whole() {
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(CHUNK * 2 + 1).collect();
        let mut answer = answer(&state(), AnyBody::from(bytes.clone()));
        let mut received = Vec::new();
        let mut lengths = Vec::new();
        while !answer.is_end_stream() {
            let left = u64::try_from(bytes.len() - received.len()).unwrap();
            assert_eq!(answer.size_hint().exact(), Some(left));
            let piece = answer.frame().await.unwrap().unwrap().into_data().unwrap();
            lengths.push(piece.len());
            received.extend_from_slice(&piece);
        }
        assert_eq!(lengths, [CHUNK, CHUNK, 1]);
        assert!(received == bytes);
    }

    #[tokio::test]
    async fn a_piece_waits_until_the_connection_lets_go_of_the_one_before() {
        let state = state();
        let mut answer = answer(&state, AnyBody::from(vec![0; CHUNK * 2]));
        let first = answer.frame().await.unwrap().unwrap();
        let asked = poll_fn(|context| {
            let polled = Pin::new(&mut answer).poll_frame(context);
            Poll::Ready(polled.is_pending())
        });
        assert!(asked.await);
        // It is still the client's turn.
        assert!(state.deadline().is_some());
        drop(first);
        assert!(answer.frame().await.unwrap().is_ok());
        assert!(answer.is_end_stream());
    }

    #[tokio::test]
    async fn an_answer_that_is_let_go_leaves_the_connection_idle() {
        let state = state();
        drop(answer(&state, AnyBody::new(Never)));
        let idle = state.deadline().unwrap() - tokio::time::Instant::now();
        assert!(idle > Duration::from_mins(1), "{idle:?}");
    }
}

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body as AnyBody, Bytes};
use hyper::body::{Body, Frame, SizeHint};

use super::exchange::Exchange;

/// The longest piece that is handed to the connection at once. It asks for the next one when the
/// client has taken most of what it has, and by that the client is seen to go on.
const PIECE: usize = 64 * 1024;

/// The body of an answer, which tells its exchange whose turn it is.
pub(super) struct AnswerBody {
    body: AnyBody,
    exchange: Exchange,
    /// What is left of a frame that was longer than a piece.
    rest: Bytes,
}

impl AnswerBody {
    pub(super) fn new(body: AnyBody, mut exchange: Exchange) -> Self {
        exchange.pass_to_client();
        Self {
            body,
            exchange,
            rest: Bytes::new(),
        }
    }

    fn piece(&mut self) -> Frame<Bytes> {
        let length = self.rest.len().min(PIECE);
        Frame::data(self.rest.split_to(length))
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            self.exchange.pass_to_client();
            return Poll::Ready(Some(Ok(self.piece())));
        }
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
            self.exchange.pass_to_service();
            return Poll::Pending;
        };
        self.exchange.pass_to_client();
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
        let following = self.body.size_hint();
        let mut hint = SizeHint::new();
        if let Some(upper) = following.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(following.lower().saturating_add(rest));
        hint
    }
}

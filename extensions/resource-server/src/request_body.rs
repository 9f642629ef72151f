//! The body of a request: its timeout, and draining the part that an app leaves unread.

use std::error::Error;
use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, Version, header};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep, timeout};

use crate::connection_state::ConnectionState;
use crate::error::BodyTimeout;
use crate::socket::MAX_DRAINED;
use crate::timeout_state::LINGER;

/// Largest unread body that is drained so that an HTTP/1 connection can be reused.
const MAX_KEEP_ALIVE_DRAIN: usize = 64 * 1024;

/// Time to drain an unread body; short, because the response waits for it.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The body of a request, which fails when it is not complete in time.
///
/// The timeout is for the whole body, not between two reads: against a client that sends a byte now and then
/// (slowloris), a read timeout is no protection.
///
/// An unread rest is kept until the response, which on HTTP/1 decides whether the connection is reused.
pub(crate) struct RequestBody {
    /// `None` only while the body is dropped.
    incoming: Option<Incoming>,
    is_http2: bool,
    limit: Duration,
    state: Arc<ConnectionState>,
    ended: bool,
    /// `true` if the rest will not arrive: the client waits for `100 Continue`, timed out, or sent an invalid body.
    undrainable: bool,
    /// Created at the first wait: most bodies arrive with their header section and need no timer.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    /// Puts the body of a request under a timeout.
    pub(crate) fn with_timeout(
        request: Request<Incoming>,
        limit: Duration,
        state: Arc<ConnectionState>,
    ) -> Request<Self> {
        let is_http2 = request.version() == Version::HTTP_2;
        // Such a client withholds its body until `100 Continue`, which hyper sends when the app reads:
        // draining a body that the app never asked for would wait in vain.
        let awaits_continue = !is_http2
            && !request.body().is_end_stream()
            && request.headers().contains_key(header::EXPECT);
        request.map(|incoming| Self {
            incoming: Some(incoming),
            is_http2,
            limit,
            state,
            ended: false,
            undrainable: awaits_continue,
            timer: None,
        })
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Some(incoming) = &mut self.incoming else {
            return Poll::Ready(None);
        };
        // Polled before the timer, so that a body that is complete by now is not refused for being late.
        if let Poll::Ready(frame) = Pin::new(incoming).poll_frame(context) {
            self.ended = frame.is_none();
            self.undrainable = matches!(frame, Some(Err(_)));
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        // Polling the body made hyper send `100 Continue`.
        self.undrainable = false;
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(timer.as_mut().poll(context));
        // A client that was too slow once is not waited for again while the connection is drained.
        self.undrainable = true;
        Poll::Ready(Some(Err(BodyTimeout { limit }.into())))
    }

    fn is_end_stream(&self) -> bool {
        let incoming = self.incoming.as_ref();
        incoming.is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let incoming = self.incoming.as_ref();
        incoming.map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        // A body that ended, or that never had any bytes, leaves nothing to drain.
        let left = self.incoming.take();
        let Some(incoming) = left.filter(|it| !self.ended && !it.is_end_stream()) else {
            return;
        };
        if !self.is_http2 {
            // A chunked body announces no length; the limit of draining ends one that is too long.
            let announced = usize::try_from(incoming.size_hint().lower());
            let is_short = announced.is_ok_and(|length| length <= MAX_KEEP_ALIVE_DRAIN);
            let unread = if is_short && !self.undrainable {
                UnreadBody::Drainable(incoming)
            } else {
                UnreadBody::Undrainable
            };
            self.state.timeouts().leave_unread(unread);
        // An app may drop a body on a thread without a runtime, where nothing can be spawned.
        } else if let Ok(runtime) = Handle::try_current() {
            // Other HTTP/2 streams do not wait for it. A client that has not ended by then gets a RST_STREAM.
            runtime.spawn(drain(incoming, MAX_DRAINED, LINGER));
        }
    }
}

/// Rest of a request body that the app dropped unread.
#[derive(Debug)]
pub(crate) enum UnreadBody {
    /// Short enough, by its announced length, to drain it and reuse the connection.
    Drainable(Incoming),
    /// Too long, or never to arrive: the connection has to close.
    Undrainable,
}

impl UnreadBody {
    /// Drains the body; returns `true` if the next request on the connection can be read.
    pub(crate) async fn drain(self) -> bool {
        match self {
            Self::Drainable(incoming) => drain(incoming, MAX_KEEP_ALIVE_DRAIN, DRAIN_TIMEOUT).await,
            Self::Undrainable => false,
        }
    }
}

/// Reads and discards a body; returns `true` if it ends within the limits of length and time.
async fn drain(incoming: Incoming, max_bytes: usize, limit: Duration) -> bool {
    let mut body = Limited::new(incoming, max_bytes);
    let reading = async {
        while let Some(frame) = body.frame().await {
            // The limit of length is such an error, too.
            if frame.is_err() {
                return false;
            }
        }
        true
    };
    timeout(limit, reading).await.unwrap_or(false)
}

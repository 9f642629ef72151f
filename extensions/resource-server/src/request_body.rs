//! The body of a request, and the part of it that an app leaves unread.

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
use crate::socket::DRAIN;
use crate::timeout_state::LINGER;

/// How many bytes are read for nothing so that a connection of HTTP/1 goes on.
const SMALL_REST: usize = 64 * 1024;

/// How long a client has to send them; the answer waits for them.
const REST_WITHIN: Duration = Duration::from_secs(1);

/// The body of a request, which fails when it is not whole in time.
///
/// The whole of it has a limit, not the pause between two pieces: a client that sends a byte now
/// and then has no pause to speak of.
///
/// What the app leaves of it is kept for the answer, which on HTTP/1 decides whether the connection goes on.
pub(crate) struct RequestBody {
    /// It is there until the body is dropped.
    incoming: Option<Incoming>,
    is_http2: bool,
    limit: Duration,
    state: Arc<ConnectionState>,
    ended: bool,
    /// The rest will not come: the client waits to be asked for it, is late, or sends none that is sound.
    hopeless: bool,
    /// Most bodies are there with their heads and never need a timer.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    /// The same request with its body watched.
    pub(crate) fn watch(
        request: Request<Incoming>,
        limit: Duration,
        state: Arc<ConnectionState>,
    ) -> Request<Self> {
        let is_http2 = request.version() == Version::HTTP_2;
        let is_asked_for = request.body().is_end_stream()
            || is_http2
            || !request.headers().contains_key(header::EXPECT);
        request.map(|incoming| Self {
            incoming: Some(incoming),
            is_http2,
            limit,
            state,
            ended: false,
            hopeless: !is_asked_for,
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
        if let Poll::Ready(frame) = Pin::new(incoming).poll_frame(context) {
            self.ended = frame.is_none();
            self.hopeless = matches!(frame, Some(Err(_)));
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        self.hopeless = false;
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(timer.as_mut().poll(context));
        self.hopeless = true;
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
        let left = self.incoming.take();
        let Some(incoming) = left.filter(|it| !self.ended && !it.is_end_stream()) else {
            return;
        };
        if !self.is_http2 {
            let announced = usize::try_from(incoming.size_hint().lower());
            let is_little = announced.is_ok_and(|length| length <= SMALL_REST);
            let unread = if is_little && !self.hopeless {
                Unread::Little(incoming)
            } else {
                Unread::Much
            };
            self.state.timeouts().leave_unread(unread);
        } else if let Ok(runtime) = Handle::try_current() {
            // Beside other requests nobody waits for it; who has not ended by then is told to stop.
            runtime.spawn(ends(incoming, DRAIN, LINGER));
        }
    }
}

/// What an app has left of a body when it let go of it.
#[derive(Debug)]
pub(crate) enum Unread {
    /// As far as the client has said, so little that reading it keeps the connection.
    Little(Incoming),
    /// More than that, or what will never be read.
    Much,
}

impl Unread {
    /// Reads all of it, if that can be: then the next request can be read, too.
    pub(crate) async fn read(self) -> bool {
        match self {
            Self::Little(incoming) => ends(incoming, SMALL_REST, REST_WITHIN).await,
            Self::Much => false,
        }
    }
}

/// Reads a body; whether it ends after at most as many bytes, and in time.
pub(crate) async fn ends(incoming: Incoming, most: usize, limit: Duration) -> bool {
    let mut body = Limited::new(incoming, most);
    let reading = async {
        while let Some(frame) = body.frame().await {
            if frame.is_err() {
                return false;
            }
        }
        true
    };
    timeout(limit, reading).await.unwrap_or(false)
}

//! One connection: its requests go to the app, and its client is kept to the limits.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, StatusCode, Version, header};
use hyper::body::{Body as _, Incoming};
use hyper::service::{Service, service_fn};
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::accept::Draining;
use crate::connection_state::{ConnectionState, IdleTimer};
use crate::in_flight::InFlight;
use crate::message;
use crate::options::Limits;
use crate::refusal::Refuser;
use crate::request_body::RequestBody;
use crate::response_body::ResponseBody;
use crate::socket::Socket;

/// How many requests a client of HTTP/2 may have at once: the least that RFC 9113 recommends.
const STREAMS: u32 = 100;

/// How long a client of HTTP/2 may be silent before it is asked whether it is still there.
const PING_AFTER: Duration = Duration::from_secs(20);

/// How long it may take to say so.
const PONG_WITHIN: Duration = Duration::from_secs(20);

/// What all connections share.
pub(crate) struct ConnectionContext {
    pub(crate) app: TowerToHyperService<Router>,
    pub(crate) protocol: Builder<TokioExecutor>,
    pub(crate) limits: Limits,
    /// Set once the server was asked to stop.
    pub(crate) is_draining: AtomicBool,
    pub(crate) refuser: Refuser,
}

impl ConnectionContext {
    fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }
}

/// Serves a connection until it ends, breaks, or its client is late. From the moment that `stopping` tells,
/// it ends once its requests are answered.
pub(crate) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    context: Arc<ConnectionContext>,
    mut stopping: watch::Receiver<()>,
) {
    let state = Arc::new(ConnectionState::start(context.limits));
    let socket = TokioIo::new(Socket::new(
        stream,
        Arc::clone(&state),
        Arc::clone(&context),
    ));
    let requests = requests(&context, peer, &state);
    let serving = context
        .protocol
        .serve_connection_with_upgrades(socket, requests);
    let mut serving = pin!(serving);
    let mut stopping = pin!(stopping.changed());
    let mut leaves = false;
    let mut timer = IdleTimer::new(Arc::clone(&state));
    poll_fn(|task| {
        if !leaves && stopping.as_mut().poll(task).is_ready() {
            leaves = true;
            serving.as_mut().graceful_shutdown();
        }
        let mut served = serving.as_mut().poll(task);
        if served.is_pending()
            && !leaves
            && context.is_draining()
            && state.timeouts().goes_away(task.waker())
        {
            leaves = true;
            serving.as_mut().graceful_shutdown();
            served = serving.as_mut().poll(task);
        }
        if let Poll::Ready(ended) = served {
            if let Err(error) = ended {
                tracing::debug!(%peer, error, "a connection broke");
            }
            return Poll::Ready(());
        }
        timer.poll(task).map(|()| {
            tracing::debug!(%peer, "a connection is closed: its client is late");
        })
    })
    .await;
}

/// Answers the requests of one connection with the app.
fn requests(
    context: &Arc<ConnectionContext>,
    peer: SocketAddr,
    state: &Arc<ConnectionState>,
) -> impl Service<
    Request<Incoming>,
    Response = Response<ResponseBody>,
    Error = Infallible,
    Future: Send + 'static,
> + use<> {
    let app = context.app.clone();
    let limit = context.limits.body;
    let state = Arc::clone(state);
    let context = Arc::clone(context);
    service_fn(move |mut request: Request<Incoming>| {
        let mut in_flight = InFlight::begin(&state);
        request.extensions_mut().insert(ConnectInfo(peer));
        if context.is_draining() {
            request.extensions_mut().insert(Draining);
        }
        let version = request.version();
        let connects = request.method() == Method::CONNECT;
        let has_body = !request.body().is_end_stream();
        if has_body {
            state.timeouts().expect_body();
        }
        let problem = message::problem(&request);
        let request = RequestBody::watch(request, limit, Arc::clone(&state));
        let answer = match problem {
            None => Ok(app.call(request)),
            Some(problem) => {
                let (request, _unread) = request.into_parts();
                let refusal = context.refuser.rendered(&problem, Some(&request));
                Err(Box::new(refusal.map(Body::from)))
            }
        };
        let context = Arc::clone(&context);
        async move {
            // Nobody knows what follows what is refused on HTTP/1.
            let closes = answer.is_err() && version < Version::HTTP_2;
            let mut answer = match answer {
                Ok(answer) => answer.await?,
                Err(refusal) => *refusal,
            };
            let is_read = !has_body || in_flight.read_left().await;
            if closes || !is_read || context.is_draining() {
                leave(&mut answer, version, &mut in_flight);
            }
            let status = answer.status();
            if status == StatusCode::SWITCHING_PROTOCOLS || connects && status.is_success() {
                in_flight.upgrade();
            }
            Ok(answer.map(|body| ResponseBody::new(body, in_flight)))
        }
    })
}

/// Tells a client that this is the last answer on its connection; one of HTTP/2 is told beside it.
fn leave(answer: &mut Response<Body>, version: Version, in_flight: &mut InFlight) {
    if version == Version::HTTP_2 {
        in_flight.be_last();
    } else if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        let close = HeaderValue::from_static("close");
        answer.headers_mut().insert(header::CONNECTION, close);
        // Else hyper keeps the connection of a client of HTTP/1.0 that asks for it.
        *answer.version_mut() = version;
    }
}

/// HTTP/1.1, or HTTP/2 for clients that begin with its preface.
pub(crate) fn protocol() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // Its timer for heads runs while a connection rests, too: the timer of the connection tells the two apart.
    builder.http1().header_read_timeout(None);
    // Its socket looks whether the client is gone: that one sends no more does not tell.
    builder.http1().half_close(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(PING_AFTER)
        .keep_alive_timeout(PONG_WITHIN);
    builder
}

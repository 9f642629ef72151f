//! One connection: passes its requests to the app, and enforces the timeouts of its client.

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
use crate::refusal::RefusalRenderer;
use crate::request_body::RequestBody;
use crate::response_body::ResponseBody;
use crate::socket::Socket;

/// Concurrent streams of an HTTP/2 connection: the least that RFC 9113 recommends (section 6.5.2).
const MAX_CONCURRENT_STREAMS: u32 = 100;

/// Silence of an HTTP/2 client after which it is pinged.
const PING_INTERVAL: Duration = Duration::from_secs(20);

/// Time for the client to answer a ping.
const PONG_TIMEOUT: Duration = Duration::from_secs(20);

/// The state that all connections share.
pub(crate) struct ConnectionContext {
    pub(crate) app: TowerToHyperService<Router>,
    pub(crate) protocol: Builder<TokioExecutor>,
    pub(crate) limits: Limits,
    /// Set by the shutdown signal.
    pub(crate) is_draining: AtomicBool,
    pub(crate) renderer: RefusalRenderer,
}

impl ConnectionContext {
    fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }
}

/// Serves a connection until it ends, fails, or its client misses a deadline. After `shutdown` it ends once its
/// requests in flight have their responses.
pub(crate) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    context: Arc<ConnectionContext>,
    mut shutdown: watch::Receiver<()>,
) {
    let state = Arc::new(ConnectionState::start(context.limits));
    let socket = TokioIo::new(Socket::new(
        stream,
        Arc::clone(&state),
        Arc::clone(&context),
    ));
    let service = service(&context, peer, &state);
    // Upgrades are supported for apps with WebSockets and for `CONNECT`.
    let serving = context
        .protocol
        .serve_connection_with_upgrades(socket, service);
    let mut serving = pin!(serving);
    // `changed` is ready at once if the shutdown came before this connection had begun.
    let mut shutdown = pin!(shutdown.changed());
    let mut shuts_down = false;
    let mut timer = IdleTimer::new(Arc::clone(&state));
    // Shutdown, connection and timer share one task. Each is polled at every wake-up, in this order,
    // because serving moves the deadline that the timer checks.
    poll_fn(|task| {
        if !shuts_down && shutdown.as_mut().poll(task).is_ready() {
            shuts_down = true;
            serving.as_mut().graceful_shutdown();
        }
        let mut served = serving.as_mut().poll(task);
        // While the server drains, an HTTP/2 connection shuts down after its first response; HTTP/1 uses a header.
        if served.is_pending()
            && !shuts_down
            && context.is_draining()
            && state.timeouts().shutdown_requested(task.waker())
        {
            shuts_down = true;
            serving.as_mut().graceful_shutdown();
            // Polled again: the GOAWAY has to be written, and nothing else would wake this task.
            served = serving.as_mut().poll(task);
        }
        if let Poll::Ready(ended) = served {
            // Clients cause these errors, such as by a reset, so they are no warning for the operator.
            if let Err(error) = ended {
                tracing::debug!(%peer, error, "a connection failed");
            }
            return Poll::Ready(());
        }
        timer.poll(task).map(|()| {
            tracing::debug!(%peer, "a connection is closed: its client timed out");
        })
    })
    .await;
}

/// The hyper service of one connection: refuses invalid requests, passes all others to the app.
fn service(
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
        // Begun before anything else: from here on the client waits for the server, so no timeout may fire.
        let mut in_flight = InFlight::begin(&state);
        request.extensions_mut().insert(ConnectInfo(peer));
        if context.is_draining() {
            request.extensions_mut().insert(Draining);
        }
        // Noted before the request is consumed, because they decide about the end of the response.
        let version = request.version();
        let connects = request.method() == Method::CONNECT;
        let has_body = !request.body().is_end_stream();
        if has_body {
            state.timeouts().expect_body();
        }
        // An invalid request never reaches the app, not even its middleware.
        let problem = message::problem(&request);
        let request = RequestBody::with_timeout(request, limit, Arc::clone(&state));
        let response = match problem {
            None => Ok(app.call(request)),
            Some(problem) => {
                // The body is dropped at the end of this branch, which records it as unread.
                let (request, _unread) = request.into_parts();
                let refusal = context.renderer.response(&problem, Some(&request));
                // Boxed, so that a rare refusal does not enlarge the future of every request.
                Err(Box::new(refusal.map(Body::from)))
            }
        };
        let context = Arc::clone(&context);
        async move {
            // Behind a refused HTTP/1 request, message boundaries are unknown: reading on risks request smuggling.
            let closes = response.is_err() && version < Version::HTTP_2;
            let mut response = match response {
                Ok(response) => response.await?,
                Err(refusal) => *refusal,
            };
            // Most requests have no body, and skip the lock. The app is done, so an unread body has no
            // other reader.
            let is_drained = !has_body || in_flight.drain_body().await;
            // Draining is tested again, because it may have begun while the app produced the response.
            if closes || !is_drained || context.is_draining() {
                announce_close(&mut response, version, &mut in_flight);
            }
            let status = response.status();
            // Any 2xx to `CONNECT` makes the connection a tunnel (RFC 9110, section 9.3.6).
            if status == StatusCode::SWITCHING_PROTOCOLS || connects && status.is_success() {
                in_flight.upgrade();
            }
            // The guard moves into the body: the request is in flight until the last byte is with the
            // connection.
            Ok(response.map(|body| ResponseBody::new(body, in_flight)))
        }
    })
}

/// Announces that the connection closes after this response: by a header, or by GOAWAY on HTTP/2.
fn announce_close(response: &mut Response<Body>, version: Version, in_flight: &mut InFlight) {
    if version == Version::HTTP_2 {
        // HTTP/2 forbids the header `Connection` (RFC 9113, section 8.2.2).
        in_flight.request_shutdown();
    // The header of an upgrade is `Connection: upgrade`, which must stay; HTTP ends there anyway.
    } else if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
        // With HTTP/1.1 in the response, hyper would honour `Connection: keep-alive` of an HTTP/1.0 client.
        *response.version_mut() = version;
    }
}

/// The protocol settings of hyper: HTTP/1.1, or HTTP/2 for clients that begin with its preface.
pub(crate) fn protocol() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // Hyper's header timer also runs on idle connections; `IdleTimer` has a timeout for each of the two.
    builder.http1().header_read_timeout(None);
    // A half-closed client still reads its response; `Socket` detects clients that have disconnected.
    builder.http1().half_close(true);
    builder
        .http2()
        // Hyper has no timer of its own, and panics without one as soon as a keep-alive ping is due.
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_CONCURRENT_STREAMS)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PONG_TIMEOUT);
    builder
}

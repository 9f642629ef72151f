use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, StatusCode, Version, header};
use hyper::body::{Body as _, Incoming};
use hyper::service::{Service, service_fn};
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::alarm::Alarm;
use super::answer_body::AnswerBody;
use super::clock::Clock;
use super::draining::Notice;
use super::exchange::Exchange;
use super::message;
use super::options::Limits;
use super::refusal::{self, Base};
use super::request_body::RequestBody;
use super::socket::Socket;

/// What all connections share.
pub(super) struct Host {
    pub(super) app: TowerToHyperService<Router>,
    pub(super) protocol: Builder<TokioExecutor>,
    pub(super) limits: Limits,
    pub(super) notice: Notice,
    pub(super) base: Base,
}

/// Serves a connection until it ends, breaks, or its client is late. From the moment that `stopping` tells,
/// it ends once its requests are answered.
pub(super) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    host: Arc<Host>,
    mut stopping: watch::Receiver<()>,
) {
    let clock = Arc::new(Clock::start(host.limits));
    let socket = TokioIo::new(Socket::new(stream, Arc::clone(&clock), Arc::clone(&host)));
    let requests = requests(&host, peer, &clock);
    let serving = host
        .protocol
        .serve_connection_with_upgrades(socket, requests);
    let mut serving = pin!(serving);
    let mut stopping = pin!(stopping.changed());
    let mut leaves = false;
    let mut alarm = Alarm::new(Arc::clone(&clock));
    poll_fn(|context| {
        if !leaves && stopping.as_mut().poll(context).is_ready() {
            leaves = true;
            serving.as_mut().graceful_shutdown();
        }
        let mut served = serving.as_mut().poll(context);
        if served.is_pending()
            && !leaves
            && host.notice.is_given()
            && clock.goes_away(context.waker())
        {
            leaves = true;
            serving.as_mut().graceful_shutdown();
            served = serving.as_mut().poll(context);
        }
        if let Poll::Ready(ended) = served {
            if let Err(error) = ended {
                tracing::debug!(%peer, error, "a connection broke");
            }
            return Poll::Ready(());
        }
        alarm.poll(context).map(|()| {
            tracing::debug!(%peer, "a connection is closed: its client is late");
        })
    })
    .await;
}

/// Answers the requests of one connection with the app.
fn requests(
    host: &Arc<Host>,
    peer: SocketAddr,
    clock: &Arc<Clock>,
) -> impl Service<
    Request<Incoming>,
    Response = Response<AnswerBody>,
    Error = Infallible,
    Future: Send + 'static,
> + use<> {
    let app = host.app.clone();
    let limit = host.limits.body;
    let clock = Arc::clone(clock);
    let host = Arc::clone(host);
    service_fn(move |mut request: Request<Incoming>| {
        let mut exchange = Exchange::begin(&clock);
        request.extensions_mut().insert(ConnectInfo(peer));
        host.notice.note(request.extensions_mut());
        let version = request.version();
        let connects = request.method() == Method::CONNECT;
        let has_body = !request.body().is_end_stream();
        if has_body {
            clock.expect_body();
        }
        let problem = message::problem(&request);
        let request = RequestBody::watch(request, limit, Arc::clone(&clock));
        let answer = match problem {
            None => Ok(app.call(request)),
            Some(problem) => {
                let (request, _unread) = request.into_parts();
                Err(Box::new(refusal::answer(problem, &request, &host.base)))
            }
        };
        let host = Arc::clone(&host);
        async move {
            // Nobody knows what follows what is refused on HTTP/1.
            let closes = answer.is_err() && version < Version::HTTP_2;
            let mut answer = match answer {
                Ok(answer) => answer.await?,
                Err(refusal) => *refusal,
            };
            let is_read = !has_body || exchange.read_left().await;
            if closes || !is_read || host.notice.is_given() {
                leave(&mut answer, version, &mut exchange);
            }
            let status = answer.status();
            if status == StatusCode::SWITCHING_PROTOCOLS || connects && status.is_success() {
                exchange.upgrade();
            }
            Ok(answer.map(|body| AnswerBody::new(body, exchange)))
        }
    })
}

/// Tells a client that this is the last answer on its connection; one of HTTP/2 is told beside it.
fn leave(answer: &mut Response<Body>, version: Version, exchange: &mut Exchange) {
    if version == Version::HTTP_2 {
        exchange.be_last();
    } else if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        let close = HeaderValue::from_static("close");
        answer.headers_mut().insert(header::CONNECTION, close);
        // Else hyper keeps the connection of a client of HTTP/1.0 that asks for it.
        *answer.version_mut() = version;
    }
}

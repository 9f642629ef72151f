use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::Watcher;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;

use super::alarm::Alarm;
use super::answer_body::AnswerBody;
use super::clock::Clock;
use super::draining::Notice;
use super::exchange::Exchange;
use super::options::Limits;
use super::request_body::RequestBody;
use super::socket::Socket;

/// What all connections share.
pub(super) struct Host {
    pub(super) app: TowerToHyperService<Router>,
    pub(super) protocol: Builder<TokioExecutor>,
    pub(super) limits: Limits,
    pub(super) notice: Notice,
}

/// Serves a connection until it ends, breaks, or its client is late.
pub(super) async fn serve(stream: TcpStream, peer: SocketAddr, host: Arc<Host>, stopping: Watcher) {
    let clock = Arc::new(Clock::start(host.limits));
    let socket = TokioIo::new(Socket::new(stream, Arc::clone(&clock)));
    let requests = requests(&host, peer, &clock);
    let serving = host
        .protocol
        .serve_connection_with_upgrades(socket, requests);
    let mut serving = pin!(stopping.watch(serving));
    let mut alarm = Alarm::new(clock);
    poll_fn(|context| match serving.as_mut().poll(context) {
        Poll::Ready(Ok(())) => Poll::Ready(()),
        Poll::Ready(Err(error)) => {
            tracing::debug!(%peer, error, "a connection broke");
            Poll::Ready(())
        }
        Poll::Pending => alarm.poll(context).map(|()| {
            tracing::debug!(%peer, "a connection is closed: its client is late");
        }),
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
        let exchange = Exchange::begin(&clock);
        request.extensions_mut().insert(ConnectInfo(peer));
        host.notice.note(request.extensions_mut());
        let request = request.map(|body| RequestBody::new(body, limit, Arc::clone(&clock)));
        let answer = app.call(request);
        async move {
            let answer = answer.await?;
            Ok(answer.map(|body| AnswerBody::new(body, exchange)))
        }
    })
}

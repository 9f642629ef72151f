//! The accept loop: accepts connections up to the limit, then drains and shuts down gracefully.

use std::future::pending;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::connection::{self, ConnectionContext};
use crate::options::Settings;

/// Backlog of the listening socket; the kernel may cap it (`somaxconn`). The standard library uses 128. Once
/// the queue is full, the kernel drops the client's SYN, and the client retries only after a second.
const BACKLOG: i32 = 4096;

/// Delay after a failed `accept`: long enough not to spin, short enough for clients in the backlog.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Time for requests that are on their way when the listener closes: those of connections that were just accepted, and of
/// proxies that use a connection again before they learn that it closes.
const LAST_REQUESTS: Duration = Duration::from_millis(100);

/// Least time between two log messages about the acceptor, since clients cause them and must not flood the log.
const LOG_INTERVAL: Duration = Duration::from_mins(1);

/// A listener that stops accepting at the connection limit.
pub(crate) struct Acceptor {
    listener: TcpListener,
    limit: usize,
    last_logged: Option<Instant>,
}

impl Acceptor {
    pub(crate) fn new(listener: TcpListener, limit: usize) -> Self {
        // A second `listen` on a listening socket changes its backlog only. A failure leaves the shorter
        // backlog, with which the server still works.
        if let Err(error) = SockRef::from(&listener).listen(BACKLOG) {
            tracing::debug!(%error, "the backlog of the listener cannot be raised");
        }
        Self {
            listener,
            limit,
            last_logged: None,
        }
    }

    /// Accepts the next connection; pending for ever at the limit, so the caller polls anew once a connection
    /// has ended. Cancel-safe: no accepted connection is lost when this future is dropped.
    pub(crate) async fn next(&mut self, open: usize) -> (TcpStream, SocketAddr) {
        if open >= self.limit {
            if self.may_log() {
                let limit = self.limit;
                tracing::warn!("new connections wait: the limit of {limit} is reached");
            }
            // The `select!` of the caller drops this future as soon as a connection has ended.
            return pending().await;
        }
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (without_delay(stream), peer),
                // The client gave up while it was in the backlog.
                Err(error) if is_of_one_connection(&error) => {}
                // Mostly EMFILE (too many open files): connections that end free descriptors.
                Err(error) => {
                    if self.may_log() {
                        tracing::error!(%error, "new connections wait: accept fails");
                    }
                    sleep(ACCEPT_RETRY_DELAY).await;
                }
            }
        }
    }

    /// Closes the listener behind the connections that wait to be accepted, and returns these: the kernel would reset
    /// them, whose requests were sent. There are at most as many as the backlog, so that the limit matters no more.
    fn close(self) -> Vec<(TcpStream, SocketAddr)> {
        let mut waiting = Vec::new();
        // Tokio learns of new connections later than the kernel, which is asked itself.
        let Ok(listener) = self.listener.into_std() else {
            return waiting;
        };
        for _ in 0..BACKLOG {
            match listener.accept() {
                Ok((stream, peer)) => {
                    let stream = stream.set_nonblocking(true).map(|()| stream);
                    let stream = stream.and_then(TcpStream::from_std);
                    waiting.extend(stream.map(|it| (without_delay(it), peer)));
                }
                Err(error) if is_of_one_connection(&error) => {}
                // The listener does not block, so that an empty queue is an error.
                Err(_) => break,
            }
        }
        waiting
    }

    fn may_log(&mut self) -> bool {
        // The first message is always due.
        let is_due = self
            .last_logged
            .is_none_or(|last| last.elapsed() >= LOG_INTERVAL);
        if is_due {
            self.last_logged = Some(Instant::now());
        }
        is_due
    }
}

/// The stream without Nagle's algorithm, so that small responses do not wait for the ACK of earlier ones.
fn without_delay(stream: TcpStream) -> TcpStream {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY cannot be set");
    }
    stream
}

fn is_of_one_connection(error: &io::Error) -> bool {
    // The kernel reports an error of the new connection from `accept`; the listener itself is sound.
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
    )
}

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Serves `app` on `listener` until `stop` ends, then until the requests in flight or the grace period end.
///
/// This future and `stop` are boxed so that their code is generated once, in this crate, not in each service.
pub(crate) fn serve_until(
    listener: TcpListener,
    app: Router,
    settings: Settings,
    stop: BoxFuture,
) -> BoxFuture {
    Box::pin(async move {
        let mut renderer = settings.renderer;
        // The port is known only now: a listener may have been bound to port 0.
        if let Ok(address) = listener.local_addr() {
            renderer.fallback_host = format!("localhost:{}", address.port()).into();
        }
        // All that connections share is built once; a connection then costs one reference count.
        let context = Arc::new(ConnectionContext {
            app: TowerToHyperService::new(app),
            protocol: connection::protocol(),
            limits: settings.limits,
            is_draining: AtomicBool::new(false),
            renderer,
        });
        let mut acceptor = Acceptor::new(listener, settings.connections);
        // A watch channel keeps its value: a connection whose task has not begun yet still sees the
        // shutdown.
        let (shutdown_sender, shutdown) = watch::channel(());
        // Dropping the set, at the end of the grace period or with this future, closes all open connections.
        let mut connections = JoinSet::new();
        // Draining is a part of `stop`, so the loop below keeps accepting connections for as long as it
        // lasts.
        let mut stop = pin!(async {
            stop.await;
            context.is_draining.store(true, Ordering::Relaxed);
            if !settings.drain.is_zero() {
                tracing::info!("draining: load balancers are told to send no more requests");
                sleep(settings.drain).await;
            }
        });
        let serve = |(stream, peer)| {
            connection::serve(stream, peer, Arc::clone(&context), shutdown.clone())
        };
        loop {
            // Counted anew in each round: an ended connection makes room for the next one.
            let open = connections.len();
            tokio::select! {
                () = &mut stop => break,
                // An empty set yields `None`, which disables this branch. The result of a connection does
                // not matter: its errors are logged where they happen, and a panic ends that connection
                // alone.
                Some(_) = connections.join_next() => {}
                accepted = acceptor.next(open) => {
                    connections.spawn(serve(accepted));
                }
            }
        }
        tracing::info!("stopping: requests in flight are still answered");
        // The listener is closed first, so that the kernel refuses new connections instead of queueing
        // them.
        for accepted in acceptor.close() {
            connections.spawn(serve(accepted));
        }
        if !connections.is_empty() {
            sleep(LAST_REQUESTS).await;
        }
        shutdown_sender.send_replace(());
        // Ended connections are awaited, not just told: the caller may end the process after this future.
        let ended = async { while connections.join_next().await.is_some() {} };
        if timeout(settings.grace, ended).await.is_err() {
            tracing::warn!(
                "requests in flight were aborted: they took longer than the grace period"
            );
        }
    })
}

/// An extension of each request that arrives after the shutdown signal, so that a readiness probe can fail.
#[derive(Debug, Clone, Copy)]
pub struct Draining;

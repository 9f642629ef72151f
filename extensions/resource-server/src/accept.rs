//! The listener and its loop: connections are accepted while there is room, until the grace ends.

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

/// Connections that the kernel holds until they are accepted, as far as its own bound allows.
/// Listeners of the standard library begin with 128; beyond the bound, a client's first packet is
/// dropped, and it tries again after a second.
const BACKLOG: i32 = 4096;

/// How long nothing is accepted after the operating system refused to: long enough not to spin,
/// short enough for clients that wait in its queue.
const PAUSE: Duration = Duration::from_millis(100);

/// How long nothing is said of hindrances after one was: clients cause them, and shall not fill
/// the log.
const QUIET: Duration = Duration::from_mins(1);

/// Where connections come in, as many as there is room for.
pub(crate) struct Acceptor {
    listener: TcpListener,
    limit: usize,
    said: Option<Instant>,
}

impl Acceptor {
    pub(crate) fn new(listener: TcpListener, limit: usize) -> Self {
        if let Err(error) = SockRef::from(&listener).listen(BACKLOG) {
            tracing::debug!(%error, "bursts of connections wait for a second");
        }
        Self {
            listener,
            limit,
            said: None,
        }
    }

    /// The next connection. While as many are `open` as there may be, there is none: it is to be
    /// asked again after one has ended. Nothing is lost when it is dropped.
    pub(crate) async fn next(&mut self, open: usize) -> (TcpStream, SocketAddr) {
        if open >= self.limit {
            if self.may_say() {
                let limit = self.limit;
                tracing::warn!("new connections wait: {limit} are open, which is the limit");
            }
            return pending().await;
        }
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    send_at_once(&stream);
                    return (stream, peer);
                }
                Err(error) if concerns_one_connection(&error) => {}
                // Mostly the process has too many open files: connections that end make room.
                Err(error) => {
                    if self.may_say() {
                        tracing::error!(%error, "new connections wait: none can be accepted");
                    }
                    sleep(PAUSE).await;
                }
            }
        }
    }

    fn may_say(&mut self) -> bool {
        let may = self.said.is_none_or(|said| said.elapsed() >= QUIET);
        if may {
            self.said = Some(Instant::now());
        }
        may
    }
}

/// An answer is sent at once, however small, instead of waiting for more to send.
fn send_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection sends with delay");
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
    )
}

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Serves `app` on `listener` until `stop` ends and the requests then in flight have ended too, or their
/// grace has.
///
/// Its future and that of `stop` are boxed: their code is generated here, once, and not in each service.
pub(crate) fn until(
    listener: TcpListener,
    app: Router,
    settings: Settings,
    stop: BoxFuture,
) -> BoxFuture {
    Box::pin(serve(listener, app, settings, stop))
}

async fn serve(listener: TcpListener, app: Router, settings: Settings, stop: BoxFuture) {
    let mut refuser = settings.refuser;
    if let Ok(address) = listener.local_addr() {
        refuser.fallback_host = format!("localhost:{}", address.port()).into();
    }
    let context = Arc::new(ConnectionContext {
        app: TowerToHyperService::new(app),
        protocol: connection::protocol(),
        limits: settings.limits,
        is_draining: AtomicBool::new(false),
        refuser,
    });
    let mut acceptor = Acceptor::new(listener, settings.connections);
    let (stopped, stopping) = watch::channel(());
    // Dropping the set, at the end of the grace or with this future, closes what is still open.
    let mut connections = JoinSet::new();
    let mut stop = pin!(async {
        stop.await;
        context.is_draining.store(true, Ordering::Relaxed);
        if !settings.drain.is_zero() {
            tracing::info!("draining: balancers are told to send no more requests");
            sleep(settings.drain).await;
        }
    });
    loop {
        let open = connections.len();
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            (stream, peer) = acceptor.next(open) => {
                let serving = connection::serve(stream, peer, Arc::clone(&context), stopping.clone());
                connections.spawn(serving);
            }
        }
    }
    tracing::info!("stopping: requests in flight are still answered");
    drop(acceptor);
    stopped.send_replace(());
    let ended = async { while connections.join_next().await.is_some() {} };
    if timeout(settings.grace, ended).await.is_err() {
        tracing::warn!("requests in flight were cut off: they took longer than the grace");
    }
}

/// An extension of each request that arrives after the server was asked to stop, so that a readiness probe can
/// say so.
#[derive(Debug, Clone, Copy)]
pub struct Draining;

//! The accept loop, from the first connection to the end of the grace.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::http::Extensions;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::accept::Acceptor;
use crate::connection::{self, ConnectionContext};
use crate::options::Settings;

type Boxed = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Serves `app` on `listener` until `stop` ends and the requests then in flight have ended too, or their
/// grace has.
///
/// Its future and that of `stop` are boxed: their code is generated here, once, and not in each service.
pub(crate) fn until(listener: TcpListener, app: Router, settings: Settings, stop: Boxed) -> Boxed {
    Box::pin(serve(listener, app, settings, stop))
}

async fn serve(listener: TcpListener, app: Router, settings: Settings, stop: Boxed) {
    let mut refuser = settings.refuser;
    if let Ok(address) = listener.local_addr() {
        refuser.fallback_host = format!("localhost:{}", address.port()).into();
    }
    let context = Arc::new(ConnectionContext {
        app: TowerToHyperService::new(app),
        protocol: connection::protocol(),
        limits: settings.limits,
        is_draining: DrainFlag::default(),
        refuser,
    });
    let mut acceptor = Acceptor::new(listener, settings.connections);
    let (stopped, stopping) = watch::channel(());
    // Dropping the set, at the end of the grace or with this future, closes what is still open.
    let mut connections = JoinSet::new();
    let mut stop = pin!(async {
        stop.await;
        context.is_draining.set();
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

/// Set once the server was asked to stop.
#[derive(Debug, Default)]
pub(crate) struct DrainFlag(AtomicBool);

impl DrainFlag {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Tells the app by an extension of the request.
    pub(crate) fn mark(&self, extensions: &mut Extensions) {
        if self.is_set() {
            extensions.insert(Draining);
        }
    }
}

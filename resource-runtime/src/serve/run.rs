use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::accept::Entrance;
use super::connection::{self, Host};
use super::draining::Notice;
use super::options::ServeOptions;
use super::protocol;
use super::refusal::Base;
use crate::boxed::Boxed;

/// Serves `app` on `listener` until `stop` ends and what is in flight then has ended too, or its
/// grace has.
pub(super) fn until(
    listener: TcpListener,
    app: Router,
    options: ServeOptions,
    stop: Boxed<'static, ()>,
) -> Boxed<'static, ()> {
    Box::pin(serve(listener, app, options, stop))
}

async fn serve(
    listener: TcpListener,
    app: Router,
    options: ServeOptions,
    stop: Boxed<'static, ()>,
) {
    let host = Arc::new(Host {
        app: TowerToHyperService::new(app),
        protocol: protocol::builder(),
        limits: options.limits,
        notice: Notice::default(),
        base: Base {
            url: options.base_url,
            unaddressed: unaddressed(&listener),
        },
    });
    let mut entrance = Entrance::new(listener, options.connections);
    let (stopped, stopping) = watch::channel(());
    // Dropping the set, at the end of the grace or with this future, closes what is still open.
    let mut connections = JoinSet::new();
    let mut stop = pin!(async {
        stop.await;
        host.notice.give();
        if !options.drain.is_zero() {
            tracing::info!("draining: balancers are told to send no more requests");
            sleep(options.drain).await;
        }
    });
    loop {
        let open = connections.len();
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            (stream, peer) = entrance.next(open) => {
                let serving = connection::serve(stream, peer, Arc::clone(&host), stopping.clone());
                connections.spawn(serving);
            }
        }
    }
    tracing::info!("stopping: requests in flight are still answered");
    drop(entrance);
    stopped.send_replace(());
    let ended = async { while connections.join_next().await.is_some() {} };
    if timeout(options.grace, ended).await.is_err() {
        tracing::warn!("requests in flight were cut off: they took longer than the grace");
    }
}

/// The host and port that are told to those who name none.
fn unaddressed(listener: &TcpListener) -> Box<str> {
    let port = listener.local_addr().map(|address| address.port());
    match port {
        Ok(port) => format!("localhost:{port}").into(),
        Err(_) => "localhost".into(),
    }
}

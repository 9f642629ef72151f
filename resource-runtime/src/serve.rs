use std::future::Future;
use std::io;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How long requests in flight may take once the service is asked to stop.
const GRACE: Duration = Duration::from_secs(10);

/// Serves `app` on `listener` until the process is asked to stop, by SIGTERM or Ctrl-C; then
/// takes no further connection, answers the requests in flight for up to 10 seconds, and returns.
///
/// # Errors
///
/// The listener's, and that signals cannot be waited for.
///
/// ```no_run
/// # async fn example(app: axum::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// resource_runtime::serve(listener, app).await
/// # }
/// ```
pub async fn serve(listener: TcpListener, app: Router) -> io::Result<()> {
    let asked_to_stop = asked_to_stop()?;
    serve_until(listener, app, asked_to_stop).await
}

/// Serves `app` on `listener` until `stop` ends, then as [`serve`] does.
///
/// # Errors
///
/// The listener's.
///
/// ```
/// use axum::Router;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let stop = async { /* the moment to stop */ };
/// resource_runtime::serve_until(listener, Router::new(), stop).await
/// # }
/// ```
pub async fn serve_until(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    // An answer is sent at once, however small, instead of waiting for more to send.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection sends with delay");
        }
    });
    let (stopping, stopped) = oneshot::channel();
    let announce = async move {
        stop.await;
        tracing::info!("stopping: requests in flight are still answered");
        // The receiver goes only when serving ended by itself.
        let _ = stopping.send(());
    };
    let out_of_grace = async {
        if stopped.await.is_ok() {
            tokio::time::sleep(GRACE).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        served = axum::serve(listener, app).with_graceful_shutdown(announce) => served,
        () = out_of_grace => Ok(()),
    }
}

#[cfg(unix)]
fn asked_to_stop() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn asked_to_stop() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}

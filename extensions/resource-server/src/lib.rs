#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod accept;
pub mod authority;
mod connection;
mod connection_state;
mod error;
mod in_flight;
mod message;
mod options;
mod refusal;
mod request_body;
mod response_body;
mod socket;
mod timeout_state;

use std::future::Future;
use std::io;

use axum::Router;
use tokio::net::TcpListener;

pub use accept::Draining;
pub use error::BodyTimeout;
pub use error::PlainText;
pub use error::Refusal;
pub use error::RenderRefusal;
pub use error::ServerError;
pub use error::ServerErrorKind;
pub use options::ServeOptions;

/// Serves `app` on `listener` until SIGTERM or Ctrl-C. Then it keeps serving for the time of
/// [`ServeOptions::drain`], stops accepting, closes idle connections, answers the requests in flight for up to
/// 10 seconds, and returns.
///
/// It speaks HTTP/1.1 and HTTP/2 without TLS. Connections of slow clients are closed by the timeouts of
/// [`ServeOptions`].
///
/// # Errors
///
/// Fails if no signal handler can be installed.
///
/// ```no_run
/// # async fn example(app: axum::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// resource_server::serve(listener, app).await
/// # }
/// ```
pub async fn serve(listener: TcpListener, app: Router) -> io::Result<()> {
    ServeOptions::<PlainText>::new().serve(listener, app).await
}

/// Future that ends at SIGTERM or Ctrl-C. Signals that arrive before its first poll count.
///
/// # Errors
///
/// Fails if no signal handler can be installed.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        // SIGTERM comes from process managers, SIGINT from Ctrl-C. Both are registered before the future is
        // polled.
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
    Ok(async {
        // Without a handler the server goes on; ending at once would be worse.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}

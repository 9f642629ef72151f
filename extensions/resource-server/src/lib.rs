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

/// Serves `app` on `listener` until the process is asked to stop, by SIGTERM or Ctrl-C; then keeps serving for
/// as long as [`ServeOptions::drain`] tells, takes no further connection, closes those that are idle,
/// answers the requests in flight for up to 10 seconds, and returns.
///
/// It speaks HTTP/1.1 and HTTP/2 without TLS. Clients that keep the service waiting are cut off;
/// [`ServeOptions`] tells when, and changes it.
///
/// # Errors
///
/// Signals cannot be waited for.
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

/// The end of this future is SIGTERM or Ctrl-C. Signals that arrive before its first poll count.
///
/// # Errors
///
/// Signals cannot be waited for.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    {
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
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}

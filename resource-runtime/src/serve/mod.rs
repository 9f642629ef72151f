//! The server: connections are accepted, watched and served until it is asked to stop.

mod accept;
mod alarm;
mod answer_body;
mod clock;
mod connection;
mod draining;
mod exchange;
mod lent;
mod message;
mod options;
mod protocol;
mod refusal;
mod request_body;
mod request_line;
mod run;
mod signals;
mod socket;
mod unread;
mod waiting;

use std::future::Future;
use std::io;

use axum::Router;
use tokio::net::TcpListener;

pub(crate) use draining::Draining;
pub use options::ServeOptions;
#[cfg(feature = "cli")]
pub(crate) use signals::asked_to_stop;

/// Serves `app` on `listener` until the process is asked to stop, by SIGTERM or Ctrl-C; then says
/// so at `/readyz` for as long as [`ServeOptions::drain`] tells, takes no further connection, closes
/// those that are idle, answers the requests in flight for up to 10 seconds, and returns.
///
/// HTTP/1.1 and HTTP/2 without TLS are spoken. Clients that keep the service waiting are cut
/// off; [`ServeOptions`] tells when, and changes it.
///
/// # Errors
///
/// That signals cannot be waited for.
///
/// ```no_run
/// # async fn example(app: axum::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// resource_runtime::serve(listener, app).await
/// # }
/// ```
pub async fn serve(listener: TcpListener, app: Router) -> io::Result<()> {
    ServeOptions::new().serve(listener, app).await
}

/// Serves `app` on `listener` until `stop` ends, then as [`serve`] does.
///
/// # Errors
///
/// None: a connection that fails ends alone, and a listener that fails is asked again.
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
    ServeOptions::new().serve_until(listener, app, stop).await
}

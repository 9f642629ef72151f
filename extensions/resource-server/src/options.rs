//! The settings of the server.

use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

use crate::refusal::RefusalRenderer;
use crate::{RenderRefusal, accept, shutdown_signal};

/// The timeouts, the connection limit and the shutdown of the server.
///
/// | setting | default | at the limit |
/// |---|---|---|
/// | [`first_byte_timeout`](Self::first_byte_timeout) | 10 s | the connection is closed |
/// | [`header_timeout`](Self::header_timeout) | 5 s | the connection is closed |
/// | [`body_timeout`](Self::body_timeout) | 30 s | reading the body fails with [`BodyTimeout`](crate::BodyTimeout), and the connection is closed |
/// | [`response_timeout`](Self::response_timeout) | 30 s | the connection is closed |
/// | [`idle_timeout`](Self::idle_timeout) | 75 s | the connection is closed |
/// | [`drain`](Self::drain) | 0 s | no further connection is accepted |
/// | [`grace`](Self::grace) | 10 s | the connection is closed |
/// | [`connections`](Self::connections) | 10000 | new connections wait until others end |
///
/// No timeout applies to the app itself, nor to a connection that it upgrades. [`Duration::MAX`] disables a
/// timeout.
///
/// Every connection is an open file of the process, so `ulimit -n` has to exceed their number, with room for
/// the database. At the limit of open files, no connection is accepted until another ends.
///
/// Each request carries its peer address: a layer or handler can extract
/// `axum::extract::ConnectInfo<SocketAddr>`. An HTTP/2 connection has at most 100 concurrent streams, and is
/// closed when its client does not answer a ping.
///
/// ```
/// use std::time::Duration;
///
/// use axum::Router;
/// use resource_server::{PlainText, ServeOptions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let stop = async { /* the moment to stop */ };
/// ServeOptions::<PlainText>::new()
///     .body_timeout(Duration::from_mins(2))
///     .connections(500)
///     .serve_until(listener, Router::new(), stop)
///     .await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ServeOptions<R> {
    settings: Settings,
    refusals: PhantomData<fn() -> R>,
}

/// The settings without their type of refusals, for code that is compiled once.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) connections: usize,
    pub(crate) drain: Duration,
    pub(crate) grace: Duration,
    pub(crate) renderer: RefusalRenderer,
}

/// Timeouts of the steps that a client may delay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) first_byte: Duration,
    pub(crate) header: Duration,
    pub(crate) body: Duration,
    pub(crate) response: Duration,
    pub(crate) idle: Duration,
}

impl Limits {
    pub(crate) const DEFAULT: Self = Self {
        first_byte: Duration::from_secs(10),
        header: Duration::from_secs(5),
        body: Duration::from_secs(30),
        response: Duration::from_secs(30),
        idle: Duration::from_secs(75),
    };
}

impl<R: RenderRefusal> ServeOptions<R> {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self {
            settings: Settings {
                limits: Limits::DEFAULT,
                connections: 10_000,
                drain: Duration::ZERO,
                grace: Duration::from_secs(10),
                renderer: RefusalRenderer {
                    render: R::render,
                    base_url: None,
                    fallback_host: "localhost".into(),
                },
            },
            refusals: PhantomData,
        }
    }

    /// Time until the first byte of a new connection; 10 seconds by default.
    #[must_use]
    pub fn first_byte_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.first_byte = timeout;
        self
    }

    /// Time from the first byte of a request to the end of its header section, and for the preface of HTTP/2;
    /// 5 seconds by default.
    #[must_use]
    pub fn header_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.header = timeout;
        self
    }

    /// Time from the end of the header section to the end of the request body; 30 seconds by default. Raise it
    /// together with the limit of the body's length.
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.body = timeout;
        self
    }

    /// Time for a client to receive each chunk of 64 KiB of a response; 30 seconds by default.
    #[must_use]
    pub fn response_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.response = timeout;
        self
    }

    /// Time that a connection may be idle between two requests; 75 seconds by default. That is longer than the
    /// 60 seconds after which most proxies close an idle connection, so that no proxy reuses a closed one.
    #[must_use]
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.idle = timeout;
        self
    }

    /// Largest number of open connections, at least one; 10000 by default. Further ones wait in the backlog of
    /// the operating system.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        // With a limit of zero, the server would never accept a connection.
        self.settings.connections = connections.max(1);
        self
    }

    /// Time to keep serving after the shutdown signal; none by default. Meanwhile every request carries
    /// [`Draining`](crate::Draining), and every response announces the close of its connection. Behind a load
    /// balancer, set it to a little more than the interval of its health checks, so that no request is sent to
    /// a server that accepts none.
    #[must_use]
    pub fn drain(mut self, drain: Duration) -> Self {
        self.settings.drain = drain;
        self
    }

    /// Time for requests in flight to end once the server no longer accepts connections; 10 seconds by default.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// The public URL of the service, for links in refusals; by default built from the host of each request,
    /// with `localhost` in place of an invalid host.
    #[must_use]
    pub fn base_url(mut self, url: impl AsRef<str>) -> Self {
        // Paths that begin with a slash are appended to it.
        let url = url.as_ref().trim_end_matches('/');
        self.settings.renderer.base_url = Some(url.into());
        self
    }

    /// Sets the [base URL](Self::base_url) unless one is set already.
    #[must_use]
    pub fn default_base_url(self, url: Option<&str>) -> Self {
        match url {
            Some(url) if self.settings.renderer.base_url.is_none() => self.base_url(url),
            _ => self,
        }
    }

    /// Serves like [`serve`](crate::serve), with these settings.
    ///
    /// # Errors
    ///
    /// Fails if no signal handler can be installed.
    pub async fn serve(self, listener: TcpListener, app: Router) -> io::Result<()> {
        let stop = shutdown_signal()?;
        self.serve_until(listener, app, stop).await
    }

    /// Serves `app` on `listener` until `stop` ends, then shuts down like [`serve`](crate::serve).
    ///
    /// # Errors
    ///
    /// None: a failed connection ends alone, and a failed `accept` is retried.
    pub async fn serve_until(
        self,
        listener: TcpListener,
        app: Router,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        accept::serve_until(listener, app, self.settings, Box::pin(stop)).await;
        Ok(())
    }
}

impl<R: RenderRefusal> Default for ServeOptions<R> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, ServeOptions};
    use crate::PlainText;

    /// The default of a setting according to the table in the documentation.
    fn documented(setting: &str) -> String {
        let start = format!("/// | [`{setting}`](Self::{setting}) | ");
        let line = include_str!("options.rs")
            .lines()
            .find_map(|line| line.strip_prefix(&start));
        let (default, _) = line.unwrap().split_once(" | ").unwrap();
        default.to_owned()
    }

    #[test]
    fn defaults_match_their_documentation() {
        let options = ServeOptions::<PlainText>::default().settings;
        for (setting, default) in [
            ("first_byte_timeout", options.limits.first_byte),
            ("header_timeout", options.limits.header),
            ("body_timeout", options.limits.body),
            ("response_timeout", options.limits.response),
            ("idle_timeout", options.limits.idle),
            ("drain", options.drain),
            ("grace", options.grace),
        ] {
            let seconds = default.as_secs();
            assert_eq!(documented(setting), format!("{seconds} s"), "{setting}");
        }
        let connections = options.connections.to_string();
        assert_eq!(documented("connections"), connections);
    }

    #[test]
    fn connection_without_a_complete_request_is_closed_within_15_seconds() {
        let limits = Limits::DEFAULT;
        assert!(limits.header.as_secs() < 6);
        assert!((limits.first_byte + limits.header).as_secs() <= 15);
    }
}

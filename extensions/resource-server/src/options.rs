//! The settings of the server.

use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

use crate::refusal::Refuser;
use crate::{RenderRefusal, accept, shutdown_signal};

/// How long clients may keep the service waiting, and how many at once.
///
/// | setting | default | when it is over |
/// |---|---|---|
/// | [`first_byte_timeout`](Self::first_byte_timeout) | 10 s | the connection is closed |
/// | [`header_timeout`](Self::header_timeout) | 5 s | the connection is closed |
/// | [`body_timeout`](Self::body_timeout) | 30 s | reading it fails with [`BodyTimeout`](crate::BodyTimeout), and the connection is closed |
/// | [`response_timeout`](Self::response_timeout) | 30 s | the connection is closed |
/// | [`idle_timeout`](Self::idle_timeout) | 75 s | the connection is closed |
/// | [`drain`](Self::drain) | 0 s | no further connection is taken |
/// | [`grace`](Self::grace) | 10 s | the connection is closed |
/// | [`connections`](Self::connections) | 10000 | new connections wait until others end |
///
/// What the service itself takes to answer is not limited here, nor what an app does with a connection
/// that it upgrades. [`Duration::MAX`] is no limit.
///
/// Every connection is an open file of the process, so `ulimit -n` has to leave room for as many
/// and for the database. Where it does not, no new connection is taken until others end.
///
/// A request knows its peer: a layer or handler of your own can extract
/// `axum::extract::ConnectInfo<SocketAddr>`. On HTTP/2 a connection has at most 100 requests at
/// once, and a client that does not answer a ping is taken for gone.
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

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) connections: usize,
    pub(crate) drain: Duration,
    pub(crate) grace: Duration,
    pub(crate) refuser: Refuser,
}

/// How long a client may take for what the service waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) first_byte: Duration,
    pub(crate) header: Duration,
    pub(crate) body: Duration,
    pub(crate) answer: Duration,
    pub(crate) idle: Duration,
}

impl Limits {
    pub(crate) const DEFAULT: Self = Self {
        first_byte: Duration::from_secs(10),
        header: Duration::from_secs(5),
        body: Duration::from_secs(30),
        answer: Duration::from_secs(30),
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
                refuser: Refuser {
                    render: R::render,
                    base_url: None,
                    fallback_host: "localhost".into(),
                },
            },
            refusals: PhantomData,
        }
    }

    /// How long a new connection may be silent; 10 seconds by default.
    #[must_use]
    pub fn first_byte_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.first_byte = timeout;
        self
    }

    /// How long the head of a request may take from its first byte, and what opens a connection
    /// of HTTP/2; 5 seconds by default.
    #[must_use]
    pub fn header_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.header = timeout;
        self
    }

    /// How long the body of a request may take from the end of its head; 30 seconds by default.
    /// Raise it together with the limit of a body's length.
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.body = timeout;
        self
    }

    /// How long a client may take to receive each piece of 64 KiB of an answer; 30 seconds by
    /// default.
    #[must_use]
    pub fn response_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.answer = timeout;
        self
    }

    /// How long a connection may rest after an answer until the next request; 75 seconds by
    /// default, longer than the 60 seconds after which most proxies close one themselves.
    #[must_use]
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.settings.limits.idle = timeout;
        self
    }

    /// How many connections are open at most, at least one; 10000 by default. Further ones wait
    /// in the queue of the operating system.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.settings.connections = connections.max(1);
        self
    }

    /// How long the service goes on once it is asked to stop, while every request carries
    /// [`Draining`](crate::Draining) and every answer tells its client to leave the connection; not at all by default. Behind a balancer, set it to a little more
    /// than the time between two of its questions, so that no request is sent to a service that takes none.
    #[must_use]
    pub fn drain(mut self, drain: Duration) -> Self {
        self.settings.drain = drain;
        self
    }

    /// How long requests in flight may take once the service is asked to stop; 10 seconds by
    /// default.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// The address at which clients find the service, for links in refusals. By default it is the host that
    /// each request names, and `localhost` for one that names no valid host.
    #[must_use]
    pub fn base_url(mut self, url: impl AsRef<str>) -> Self {
        let url = url.as_ref().trim_end_matches('/');
        self.settings.refuser.base_url = Some(url.into());
        self
    }

    /// A [base URL](Self::base_url) for when none was set.
    #[must_use]
    pub fn default_base_url(self, url: Option<&str>) -> Self {
        match url {
            Some(url) if self.settings.refuser.base_url.is_none() => self.base_url(url),
            _ => self,
        }
    }

    /// Serves as [`serve`](crate::serve) does, with these settings.
    ///
    /// # Errors
    ///
    /// That signals cannot be waited for.
    pub async fn serve(self, listener: TcpListener, app: Router) -> io::Result<()> {
        let stop = shutdown_signal()?;
        self.serve_until(listener, app, stop).await
    }

    /// Serves `app` on `listener` until `stop` ends, then as [`serve`](crate::serve) does.
    ///
    /// # Errors
    ///
    /// None: a connection that fails ends alone, and a listener that fails is asked again.
    pub async fn serve_until(
        self,
        listener: TcpListener,
        app: Router,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        accept::until(listener, app, self.settings, Box::pin(stop)).await;
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

    /// The defaults as the table of the documentation has them, by the names of the settings.
    fn documented(setting: &str) -> String {
        let start = format!("/// | [`{setting}`](Self::{setting}) | ");
        let line = include_str!("options.rs")
            .lines()
            .find_map(|line| line.strip_prefix(&start));
        let (default, _) = line.unwrap().split_once(" | ").unwrap();
        default.to_owned()
    }

    #[test]
    fn the_defaults_are_those_that_are_documented() {
        let options = ServeOptions::<PlainText>::default().settings;
        for (setting, default) in [
            ("first_byte_timeout", options.limits.first_byte),
            ("header_timeout", options.limits.header),
            ("body_timeout", options.limits.body),
            ("response_timeout", options.limits.answer),
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
    fn a_client_that_sends_nothing_whole_is_closed_within_15_seconds() {
        let limits = Limits::DEFAULT;
        assert!(limits.header.as_secs() < 6);
        assert!((limits.first_byte + limits.header).as_secs() <= 15);
    }
}

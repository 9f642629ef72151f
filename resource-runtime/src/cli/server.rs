//! The server of a service, which binds its ports before it serves.

#[cfg(feature = "metrics")]
use std::future::pending;
use std::io;
use std::net::SocketAddr;

use axum::Router;
use resource_server::shutdown_signal;
#[cfg(feature = "metrics")]
use tokio::net::TcpListener;

use super::Options;
use super::port::Port;
use crate::http::Mount;
#[cfg(feature = "metrics")]
use crate::serve::serve_until;
use crate::{Api, Error, ServeOptions};

/// A service that has bound its port, which no other can take from then on, and refuses clients until it serves.
///
/// ```no_run
/// use resource_runtime::cli::{Options, Server};
/// use resource_runtime::{Api, Error};
///
/// async fn serve(options: &Options, api: &Api) -> Result<(), Error> {
///     let server = Server::bind(options).await?;
///     println!("clients will find it at {}", server.address());
///     server.serve("settings", api, api.router()).await
/// }
/// ```
#[derive(Debug)]
pub struct Server {
    port: Port,
    serving: ServeOptions,
    #[cfg(feature = "metrics")]
    metrics: Option<Port>,
}

impl Server {
    /// Binds the port that the options name. Bound before anything is made, a port in use leaves no trace of the start;
    /// a client that can connect finds what was made before [`serve`](Self::serve).
    ///
    /// # Errors
    ///
    /// The port is in use, or cannot be bound; the error has the remedy.
    pub async fn bind(options: &Options) -> Result<Self, Error> {
        // Both ports are bound before either is served, so a port in use ends the start and no request.
        Ok(Self {
            port: Port::bind("--listen", options.listen()).await?,
            serving: options.serving(),
            #[cfg(feature = "metrics")]
            metrics: match options.metrics_listen() {
                Some(address) => Some(Port::bind("--metrics-listen", address).await?),
                None => None,
            },
        })
    }

    /// The address at which the service will accept connections.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.port.address()
    }

    /// Serves with these settings in place of those of [`Options::serving`].
    #[must_use]
    pub fn options(mut self, serving: ServeOptions) -> Self {
        self.serving = serving;
        self
    }

    /// Prints the address of the service, also those of its pages and metrics where it has them, and serves `app`,
    /// which `api` is a part of, until the process is asked to stop. From the first printed line on it
    /// stops as [`serve`](crate::serve) does.
    ///
    /// # Errors
    ///
    /// Signals cannot be waited for, or another process has begun to listen on the port meanwhile.
    pub async fn serve(self, name: &str, api: &Api, app: Router) -> Result<(), Error> {
        let address = self.port.address();
        let listener = self.port.listen()?;
        #[cfg(feature = "metrics")]
        let metrics = match self.metrics {
            Some(port) => Some((port.address(), port.listen()?)),
            None => None,
        };
        // Before the address is printed: a signal right after that would else end the process at once.
        let stop = shutdown_signal().map_err(|error| failed(&error))?;
        for sentence in past_sunsets(api) {
            tracing::warn!("{sentence}");
        }
        let base = format!("http://{address}");
        println!("{name} listens on {base}");
        #[cfg(feature = "docs")]
        if let Some(pages) = api.documentation(&base) {
            println!("{name} is documented at {pages}");
        }
        #[cfg(feature = "metrics")]
        if let Some((address, _)) = &metrics {
            println!("{name} tells metrics on http://{address}/metrics");
        }
        // The server refuses some requests before routing; the links in these errors begin like those of the
        // API.
        let serving = self.serving.default_base_url(api.base_url());
        // The future is made before the metrics join it, and begins to serve only when it is awaited.
        let served = serving.serve_until(listener, app, stop);
        #[cfg(feature = "metrics")]
        let served = with_metrics(served, metrics, api.metrics_router());
        served.await.map_err(|error| failed(&error))
    }
}

/// A sentence for each version whose sunset is past by the clock of the API.
pub(super) fn past_sunsets(api: &Api) -> impl Iterator<Item = String> {
    let now = api.clock().now();
    let definitions = api.mounts().iter().map(Mount::definition);
    definitions.filter_map(move |it| {
        let (name, version, day) = (it.name(), it.version(), it.deprecation()?.past_sunset(now)?);
        Some(format!(
            "the sunset of `{name}` {version} was on {day}; it still answers"
        ))
    })
}

/// Serves metrics for as long as the API is served.
#[cfg(feature = "metrics")]
async fn with_metrics(
    served: impl Future<Output = io::Result<()>>,
    listener: Option<(SocketAddr, TcpListener)>,
    metrics: Router,
) -> io::Result<()> {
    // Without an address of their own, the metrics are among the routes of the API, where it has them.
    let Some((_, listener)) = listener else {
        return served.await;
    };
    // The first to end ends both: a service without its metrics would look dead to its operator.
    tokio::select! {
        served = served => served,
        // `pending` never stops the metrics by itself: they end with the API.
        ended = serve_until(listener, metrics, pending()) => ended,
    }
}

fn failed(error: &io::Error) -> Error {
    Error::configuration(format!("cannot serve: {error}"))
}

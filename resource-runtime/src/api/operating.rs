//! The settings of a service in operation: timeout, buffers, CORS, compression and metrics.

use std::time::Duration;

use resource_model::setters;

use super::ApiBuilder;
#[cfg(feature = "metrics")]
use super::metrics::MetricsPlace;

impl ApiBuilder {
    setters! {
        /// The time in which the response to a request must begin, the receipt of its body included; unlimited by
        /// default. A request that takes longer is cancelled, and its response is 503 with the code 10090: a
        /// write may then be done or not, which the response says.
        ///
        /// The database has timeouts of its own, [`DatabaseOptions`](crate::DatabaseOptions), which come first
        /// and leave nothing unknown. So this is the last resort, and longer than they are.
        timeout(timeout: Duration) => settings.timeout = Some(timeout);

        /// The most bytes in memory of responses that were read from the database and not yet sent to their
        /// clients; 64 MiB by default, for all responses together. Of one response it is 256 KiB, or two chunks
        /// of it. The rest waits in a file, and no reader or connection of the database waits for a client.
        ///
        /// Responses of up to 64 KiB do not count.
        unsent_in_memory(bytes: usize) => settings.unsent_in_memory = bytes;

        /// The most bytes of responses that wait for their clients in a temporary file; 1 GiB by default, for all
        /// responses together. Once three quarters of it are in use, further responses of more than 64 KiB are
        /// refused with 503 and the code 10090, so that those which have begun can end; a response that finds no
        /// room at all is cut off. With 0 there is no file: responses wait in memory alone, for which the same
        /// holds.
        ///
        /// The file has no name, so nothing is left of it when the process ends. It is in the folder that the
        /// variable `TMPDIR` names; a file system in memory, such as `tmpfs`, is no place for it.
        ///
        /// ```
        /// use resource_runtime::Api;
        ///
        /// let small = Api::builder().unsent_in_memory(8 << 20).unsent_on_disk(128 << 20);
        /// # drop(small);
        /// ```
        unsent_on_disk(bytes: u64) => settings.unsent_on_disk = bytes;

        /// Compresses responses of more than a kibibyte for clients that accept gzip or Brotli.
        ///
        /// Leave it to the proxy where there is one. A compressed response that holds a secret beside text that
        /// an attacker chose reveals a little of the secret by its length (the BREACH attack).
        #[cfg(feature = "compression")]
        compression() => settings.is_compressed = true;

        /// Counts requests and measures their duration, and serves both at `/metrics`, in the format of
        /// OpenMetrics that Prometheus reads; by default nothing is counted. Everybody who reaches the API can
        /// read it, also without a token; [`separate_metrics`](Self::separate_metrics) keeps it apart.
        #[cfg(feature = "metrics")]
        metrics() => settings.metrics = MetricsPlace::WithTheApi;

        /// Counts and measures like [`metrics`](Self::metrics), but serves the result only by
        /// [`Api::metrics_router`](crate::Api::metrics_router), which is to be served elsewhere.
        ///
        /// ```
        /// # use resource_runtime::{Api, ApiBuilder, Database};
        /// # async fn example(builder: ApiBuilder, database: Database) -> Result<(), Box<dyn std::error::Error>> {
        /// use tokio::net::TcpListener;
        ///
        /// let api = builder.separate_metrics().build(database)?;
        /// let within = TcpListener::bind("127.0.0.1:9090").await?;
        /// tokio::spawn(resource_runtime::serve(within, api.metrics_router()));
        /// let listener = TcpListener::bind("0.0.0.0:8080").await?;
        /// resource_runtime::serve(listener, api.router()).await?;
        /// # Ok(())
        /// # }
        /// ```
        #[cfg(feature = "metrics")]
        separate_metrics() => settings.metrics = MetricsPlace::Elsewhere;
    }

    /// Allows pages of other sites to read the responses in browsers (CORS): those at `origins`, like
    /// `https://app.example.org`, or `*`, which is every site. None may, by default.
    ///
    /// These pages may send `Accept`, `Authorization`, `Content-Type` and `X-Request-Id`, and read
    /// `Location`, `ETag`, `Link`, `Retry-After`, `WWW-Authenticate` and `X-Request-Id`. Cookies are not
    /// sent.
    ///
    /// ```
    /// use resource_runtime::Api;
    ///
    /// let builder = Api::builder().cors(["https://app.example.org", "http://localhost:5173"]);
    /// # drop(builder);
    /// ```
    #[cfg(feature = "cors")]
    pub fn cors(mut self, origins: impl IntoIterator<Item: Into<String>>) -> Self {
        self.settings.origins = origins.into_iter().map(Into::into).collect();
        self
    }
}

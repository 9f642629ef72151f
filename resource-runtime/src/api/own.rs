//! Additions of a service to its API: custom errors, parts of the OpenAPI documents, routes, and jobs that end with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use axum::Router;
use resource_model::error::{CustomError, Error, panic_text};
use tokio::sync::watch;

use super::{Api, ApiBuilder};

impl ApiBuilder {
    /// Registers custom errors: each gets a page below `/errors`, and its code is one of those that the OpenAPI
    /// documents list. A code that two of them have is an error of [`build`](Self::build).
    ///
    /// ```
    /// use resource_runtime::{Api, CustomError};
    ///
    /// const SOLD_OUT: CustomError = CustomError::new(20001, 409, "Sold out");
    ///
    /// let builder = Api::builder().errors(&[SOLD_OUT]);
    /// # drop(builder);
    /// ```
    pub fn errors(mut self, errors: &'static [CustomError]) -> Self {
        self.settings.errors.extend(errors);
        self
    }

    /// Adds to the OpenAPI documents, whatever describes the service's own routes: `add` gets the document of each
    /// version, complete, and the version, `1.0` or `latest`. It is called once for each document.
    ///
    /// ```
    /// use resource_runtime::Api;
    /// use serde_json::json;
    ///
    /// let builder = Api::builder().openapi_with(|document, version| {
    ///     if version == "latest" {
    ///         document["paths"]["/plays"]["post"] = json!({
    ///             "operationId": "play",
    ///             "responses": {"204": {"description": "The play is counted."}},
    ///         });
    ///     }
    /// });
    /// # drop(builder);
    /// ```
    #[cfg(feature = "openapi")]
    pub fn openapi_with(
        mut self,
        add: impl Fn(&mut serde_json::Value, &str) + Send + Sync + 'static,
    ) -> Self {
        self.settings.additions.push(add);
        self
    }

    /// Serves further routes beside those of the resources, below the host and not below the root. They have all that
    /// the others have: request ids, a line in the log, the timeout, compression, CORS, and errors in the same
    /// formats. Handlers get the API as their state; those with another state bring it by `with_state`. The guide
    /// [`own_routes`](crate::guides::own_routes) shows the extractors for them.
    ///
    /// A path that is not theirs alone is an error of [`build`](Self::build).
    ///
    /// ```
    /// use axum::Router;
    /// use axum::extract::State;
    /// use axum::routing::get;
    /// use resource_runtime::Api;
    ///
    /// async fn versions(State(api): State<Api>) -> String {
    ///     api.versions().join(" ")
    /// }
    ///
    /// let builder = Api::builder().routes(Router::new().route("/versions", get(versions)));
    /// # drop(builder);
    /// ```
    pub fn routes(mut self, routes: Router<Api>) -> Self {
        self.settings.routes.push(routes);
        self
    }
}

impl Api {
    /// The future that ends when the service is asked to stop: by SIGTERM, by Ctrl-C, or by [`stop`](Self::stop). Jobs
    /// wait for it beside their work; one that begins later ends at once.
    ///
    /// From the first call on, the signals no longer end the process by themselves: [`serve`](crate::serve) ends, or
    /// the job that waits here.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Note", url = "/notes", version = "1.0")]
    /// # struct Note { id: i64 }
    /// async fn count_hourly(api: Api) -> Result<(), Error> {
    ///     loop {
    ///         println!("{} notes", api.items::<Note>().count().await?);
    ///         tokio::select! {
    ///             () = tokio::time::sleep(Duration::from_hours(1)) => {}
    ///             () = api.stopping() => return Ok(()),
    ///         }
    ///     }
    /// }
    /// ```
    pub async fn stopping(&self) {
        let stop = &self.parts.stop;
        stop.watch_signals();
        // The sender is a part of this API, so it cannot be gone.
        let _ = stop.sender.subscribe().wait_for(|is_asked| *is_asked).await;
    }

    /// Ends every future of [`stopping`](Self::stopping), of this API and its clones. A server that is to stop with
    /// them takes one: `resource_runtime::serve_until(listener, api.router(), stop)`.
    pub fn stop(&self) {
        self.parts.stop.sender.send_replace(true);
    }

    /// The service's own routes on this API.
    pub(super) fn own_routes(&self) -> Router {
        let routes = self.parts.settings.routes.iter().cloned();
        let routes = routes.fold(Router::new(), Router::merge);
        routes.with_state(self.clone())
    }

    /// Refuses routes of the service that cannot stand beside those of the API.
    pub(super) fn require_distinct_routes(self) -> Result<Self, Error> {
        if self.parts.settings.routes.is_empty() {
            return Ok(self);
        }
        // axum tells of two routes that exclude each other by a panic alone.
        let built = catch_unwind(AssertUnwindSafe(|| drop(self.router())));
        built.map_err(|cause| {
            let cause = panic_text(&*cause);
            Error::configuration(format!(
                "`.routes(…)` has a route that the API has, too ({cause}); choose another path"
            ))
        })?;
        Ok(self)
    }
}

/// The request to stop, which outlives the signal that brought it.
#[derive(Debug, Default)]
pub(super) struct Stop {
    sender: watch::Sender<bool>,
    is_watched: OnceLock<()>,
}

impl Stop {
    /// Listens to the signals of the process from the first call on, so that none is missed between two waits.
    fn watch_signals(&self) {
        self.is_watched.get_or_init(|| {
            let sender = self.sender.clone();
            match resource_server::shutdown_signal() {
                Ok(signal) => drop(tokio::spawn(async move {
                    signal.await;
                    sender.send_replace(true);
                })),
                Err(error) => tracing::error!(%error, "signals cannot be listened to"),
            }
        });
    }
}

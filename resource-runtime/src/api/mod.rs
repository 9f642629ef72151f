//! The API as its developer builds it: register, build, create tables, serve.

#[cfg(feature = "openapi")]
mod about;
mod assembly;
mod builder;
#[cfg(feature = "docs")]
mod documentation;
mod health;
#[cfg(feature = "metrics")]
mod metrics;
pub mod missing_features;
#[cfg(feature = "openapi")]
mod openapi;
mod operating;
mod own;
mod promises;
mod schema;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;
mod transactions;

use std::any::TypeId;
use std::sync::Arc;

use axum::Router;
use resource_model::schema::{ApiResource, Table};

use crate::authorization::Authentication;
use crate::clock::Clock;
#[cfg(not(feature = "openapi"))]
use crate::http::Documents;
#[cfg(feature = "compression")]
use crate::http::middleware::compressed;
#[cfg(feature = "cors")]
use crate::http::middleware::readable_by;
use crate::http::middleware::{ANY_ORIGIN, Caching, MiddlewareSettings, VariesBy};
use crate::http::{Mount, ServedResource, ServedVersions, router};
use crate::items::{Items, System};
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::operation::Services;
use crate::store::Database;
pub use builder::ApiBuilder;
use health::Readiness;
#[cfg(feature = "metrics")]
use metrics::MetricsPlace;
use own::Stop;
pub use promises::ApiPromises;
use settings::Settings;

/// A built API: its routes and its tables.
///
/// ```
/// use resource_runtime::{Api, ApiResource, Database};
///
/// /// An application setting.
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0")]
/// pub struct Setting {
///     pub id: i64,
///     #[resource(max_length = 50, unique)]
///     pub name: String,
///     pub value: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), resource_runtime::Error> {
/// # let file = std::env::temp_dir().join(format!("api-{}.db", std::process::id()));
/// # let url = format!("sqlite://{}", file.display());
/// let database = Database::connect(&url).await?;
/// let api = Api::builder().resource::<Setting>().build(database)?;
/// api.create_missing_tables().await?;
/// let app: axum::Router = api.router();
/// # drop((api, app));
/// # std::fs::remove_file(&file).unwrap();
/// # Ok(())
/// # }
/// ```
///
/// A clone is cheap, and shares all with the original.
#[derive(Debug, Clone)]
pub struct Api {
    parts: Arc<ApiParts>,
}

/// The parts of an [`Api`].
#[derive(Debug)]
struct ApiParts {
    database: Database,
    tables: Vec<Table>,
    mounts: Vec<Mount>,
    authentication: Option<Authentication>,
    services: Arc<Services>,
    served_versions: Arc<ServedVersions>,
    settings: Settings,
    readiness: Readiness,
    stop: Stop,
    #[cfg(feature = "metrics")]
    metrics: Option<Arc<Metrics>>,
}

impl Api {
    /// An API without resources yet.
    pub fn builder() -> ApiBuilder {
        ApiBuilder::new()
    }

    /// The routes as an ordinary axum router, to serve, nest, merge or layer.
    ///
    /// The router answers every path, unknown ones with the API's error. To respond to unknown paths in
    /// another way, set a fallback after merging: `api.router().merge(mine).fallback(my_answer)`. Two APIs in
    /// one service are nested, each under a path of its own: both answer `/errors`, `/livez` and `/readyz`,
    /// and `/docs` with the feature `docs`.
    ///
    /// `/livez` answers 200 while the process runs. `/readyz` answers 200 while the database answers in
    /// time, takes writes where any are offered, and its tables are as the definitions need them, and 503
    /// otherwise and once the service is shutting down. Neither needs a token.
    pub fn router(&self) -> Router {
        // The same settings hold for all responses, errors included.
        let settings = MiddlewareSettings {
            // The timeout and the measurement of a request lie around its handler.
            timeout: self.parts.settings.timeout,
            #[cfg(feature = "metrics")]
            metrics: self.parts.metrics.clone(),
            codes: self.parts.settings.codes().into(),
            documented: self.parts.settings.has_pages(),
            root: Some(self.parts.settings.root.as_str().into()),
            routes: self
                .parts
                .mounts
                .iter()
                .flat_map(|it| it.paths(self.root()))
                .collect(),
            ..MiddlewareSettings::new(self.parts.settings.base_url.clone(), self.caching())
        };
        // Health and metadata are routes of the same router, so that its middleware
        // and fallback hold for them.
        let extra_routes = self.health().merge(self.own_routes());
        let extra_routes = match &self.parts.settings.authenticator {
            Some(it) => extra_routes.merge(it.routes(self.parts.settings.address())),
            None => extra_routes,
        };
        // Metrics are among these routes only where the developer asks for it; otherwise they are elsewhere,
        // if at all.
        #[cfg(feature = "metrics")]
        let extra_routes = match self.parts.settings.metrics {
            MetricsPlace::WithTheApi => extra_routes.merge(self.metrics_route()),
            MetricsPlace::Nowhere | MetricsPlace::Elsewhere => extra_routes,
        };
        #[cfg(feature = "openapi")]
        let documents = self.documents();
        #[cfg(not(feature = "openapi"))]
        let documents = Documents::default();
        // From here on the order is that of the layers, from the inside to the outside.
        let router = router(
            &self.parts.mounts,
            &self.parts.served_versions,
            documents,
            extra_routes,
            &settings,
        );
        // Outside of the middleware that writes error bodies, so that these are compressed as well.
        #[cfg(feature = "compression")]
        let router = if self.parts.settings.is_compressed {
            compressed(router)
        } else {
            router
        };
        // Outermost, so that pages of other sites can read every response, errors included.
        #[cfg(feature = "cors")]
        let router = match &*self.parts.settings.origins {
            [] => router,
            origins => readable_by(origins, router),
        };
        router
    }

    /// The items of `R`, for the developer's own code: no row and no attribute is hidden. The future of a read can be
    /// dropped at any time; a write with hooks then goes on, and the outcome of one without is unknown.
    ///
    /// Each write is a transaction of its own: within a hook that has called
    /// [`database`](crate::WriteContext::database), it would wait on SQLite for the lock of the hook's own transaction.
    #[must_use]
    pub fn items<R: ApiResource>(&self) -> Items<R, System<'_>> {
        Items::new(System::new(&self.parts.database, &*self.parts.services))
    }

    /// The cache headers, which are the same on all responses.
    fn caching(&self) -> Caching {
        // The headers of caching depend on these settings alone, among them `Vary` (RFC 9110,
        // section 12.5.5).
        let origins = &self.parts.settings.origins;
        Caching::of(VariesBy {
            encoding: self.parts.settings.is_compressed,
            authorization: self.parts.settings.is_guarded(),
            // With `*`, no response depends on the `Origin` of its request.
            origin: !origins.is_empty() && origins.iter().all(|it| it != ANY_ORIGIN),
        })
    }

    pub(crate) fn database(&self) -> &Database {
        &self.parts.database
    }

    pub(crate) fn authentication(&self) -> Option<&Authentication> {
        self.parts.authentication.as_ref()
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.parts.settings.clock
    }

    /// The longest body of a request, in bytes.
    pub(crate) fn body_limit(&self) -> usize {
        self.parts.settings.body_limit
    }

    /// The resource of a struct, for a caller.
    pub(crate) fn resource(&self, struct_id: TypeId) -> Option<&Arc<ServedResource>> {
        let mut mounts = self.parts.mounts.iter();
        let mount = mounts.find(|it| it.type_id == struct_id);
        mount.map(|it| &it.resource)
    }

    #[cfg(feature = "cli")]
    pub(crate) fn mounts(&self) -> &[Mount] {
        &self.parts.mounts
    }

    /// The path before the versions, as the [builder](ApiBuilder::root) has set it: `/api` by default.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.parts.settings.root
    }

    #[cfg(feature = "cli")]
    pub(crate) fn base_url(&self) -> Option<&str> {
        self.parts.settings.base_url.as_deref()
    }

    #[cfg(feature = "cli")]
    pub(crate) fn is_guarded(&self) -> bool {
        self.parts.settings.is_guarded()
    }

    /// The versions as they stand in paths: `1.0` and `2.0`, for instance, and `latest`.
    #[must_use]
    pub fn versions(&self) -> Vec<String> {
        self.parts.served_versions.segments()
    }

    /// The paths that are served beside the resources where the settings of the API have them: `/docs`, `/docs/changes`
    /// and `/metrics`.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Database, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Note", url = "/notes", version = "1.0")]
    /// # struct Note { id: i64 }
    /// # fn example(database: Database) -> Result<(), Error> {
    /// let api = Api::builder().resource::<Note>().build(database)?;
    /// assert!(!api.extra_paths().contains(&"/metrics"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn extra_paths(&self) -> Vec<&'static str> {
        let settings = &self.parts.settings;
        #[cfg(feature = "docs")]
        let has_changes = settings.has_pages() && settings.changes.is_some();
        #[cfg(not(feature = "docs"))]
        let has_changes = false;
        #[cfg(feature = "metrics")]
        let has_metrics = settings.metrics == MetricsPlace::WithTheApi;
        #[cfg(not(feature = "metrics"))]
        let has_metrics = false;
        let paths = [
            (settings.has_pages(), "/docs"),
            (has_changes, "/docs/changes"),
            (has_metrics, "/metrics"),
        ];
        let served = paths.into_iter().filter(|(is_served, _)| *is_served);
        served.map(|(_, path)| path).collect()
    }
}

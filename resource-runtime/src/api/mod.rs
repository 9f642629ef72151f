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
#[cfg(feature = "openapi")]
mod openapi;
mod operating;
#[cfg(feature = "cors")]
mod origins;
mod schema;
mod settings;
mod warnings;

use std::sync::Arc;

use axum::Router;
use resource_model::schema::Table;

#[cfg(not(feature = "openapi"))]
use crate::http::Documents;
#[cfg(feature = "compression")]
use crate::http::middleware::compressed;
#[cfg(feature = "cors")]
use crate::http::middleware::{ANY_ORIGIN, readable_by};
use crate::http::middleware::{Answers, Around, Caching, VariesBy};
use crate::http::{Mount, VersionIndex, router};
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::store::Database;
pub use builder::ApiBuilder;
use health::Readiness;
#[cfg(feature = "cli")]
pub(crate) use schema::Comparison;
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
#[derive(Debug, Clone)]
pub struct Api {
    database: Database,
    tables: Vec<Table>,
    mounts: Vec<Mount>,
    catalogue: Arc<VersionIndex>,
    settings: Settings,
    readiness: Arc<Readiness>,
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
    /// The router answers every path, unknown ones with the API's error. To give unknown paths another
    /// answer, set a fallback after merging: `api.router().merge(mine).fallback(my_answer)`. Two APIs in
    /// one service are nested, each under a path of its own: both answer `/errors`, `/livez` and `/readyz`,
    /// and `/docs` with the feature `docs`.
    ///
    /// `/livez` answers 200 while the process runs. `/readyz` answers 200 while the database answers in
    /// time, takes writes where any are offered, and its tables are as the definitions need them, and 503
    /// otherwise and from the moment at which the service is asked to stop. Neither asks for a token.
    pub fn router(&self) -> Router {
        let answers = Answers {
            base: self.settings.base_url.clone(),
            caching: self.caching(),
        };
        let beside = self.health();
        let beside = match &self.settings.authenticator {
            Some(it) => beside.merge(it.routes(self.settings.address())),
            None => beside,
        };
        #[cfg(feature = "metrics")]
        let beside = beside.merge(self.metrics_beside());
        let around = Around {
            timeout: self.settings.timeout,
            #[cfg(feature = "metrics")]
            metrics: self.metrics.clone(),
        };
        let router = router(
            &self.mounts,
            &self.catalogue,
            self.documents(),
            beside,
            &answers,
            around,
        );
        #[cfg(feature = "compression")]
        let router = self.with_compression(router);
        #[cfg(feature = "cors")]
        let router = self.with_origins(router);
        router
    }

    /// The cache headers, which are the same on all answers.
    fn caching(&self) -> Caching {
        let settings = &self.settings;
        #[cfg(feature = "compression")]
        let encoding = settings.is_compressed;
        #[cfg(not(feature = "compression"))]
        let encoding = false;
        // With `*`, no answer depends on the `Origin` of its request.
        #[cfg(feature = "cors")]
        let origin =
            !settings.origins.is_empty() && settings.origins.iter().all(|it| it != ANY_ORIGIN);
        #[cfg(not(feature = "cors"))]
        let origin = false;
        Caching::of(VariesBy {
            encoding,
            authorization: settings.is_guarded(),
            origin,
        })
    }

    #[cfg(feature = "compression")]
    fn with_compression(&self, router: Router) -> Router {
        if self.settings.is_compressed {
            return compressed(router);
        }
        router
    }

    /// Adds CORS headers, where other origins are allowed.
    #[cfg(feature = "cors")]
    fn with_origins(&self, router: Router) -> Router {
        if self.settings.origins.is_empty() {
            return router;
        }
        readable_by(&origins::headers(&self.settings.origins), router)
    }

    #[cfg(feature = "cli")]
    pub(crate) fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    #[cfg(feature = "cli")]
    pub(crate) fn root(&self) -> &str {
        &self.settings.root
    }

    #[cfg(feature = "cli")]
    pub(crate) fn base_url(&self) -> Option<&str> {
        self.settings.base_url.as_deref()
    }

    #[cfg(feature = "cli")]
    pub(crate) const fn is_guarded(&self) -> bool {
        self.settings.is_guarded()
    }

    /// The versions as they stand in paths: `1.0` and `2.0`, for instance, and `latest`.
    #[must_use]
    pub fn versions(&self) -> Vec<String> {
        self.catalogue.segments()
    }

    #[cfg(not(feature = "openapi"))]
    #[allow(
        clippy::unused_self,
        reason = "the description of the API is a feature"
    )]
    fn documents(&self) -> Documents {
        Documents::default()
    }
}

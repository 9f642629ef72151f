//! The API as its developer builds it: register, build, create tables, serve.

mod builder;
#[cfg(feature = "docs")]
mod documentation;
#[cfg(feature = "openapi")]
mod openapi;
mod schema;
mod settings;

use std::sync::Arc;

use axum::Router;

pub use builder::ApiBuilder;

use crate::execute::Database;
#[cfg(not(feature = "openapi"))]
use crate::routing::Documents;
use crate::routing::{Answers, Catalogue, Mount, router};
use crate::schema::Table;
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
    catalogue: Arc<Catalogue>,
    settings: Settings,
}

impl Api {
    /// An API without resources yet.
    pub fn builder() -> ApiBuilder {
        ApiBuilder::new()
    }

    /// The routes as an ordinary axum router, to serve, nest, merge or layer.
    ///
    /// It answers every path, unknown ones with the API's error. To give unknown paths another
    /// answer, set a fallback after merging: `api.router().merge(mine).fallback(my_answer)`. Two
    /// APIs in one service are nested, each under a path of its own: both answer
    /// `/errors`, and `/docs` with the feature `docs`.
    pub fn router(&self) -> Router {
        let answers = Answers {
            base: self.settings.base_url.clone(),
            private: self.settings.is_guarded(),
        };
        router(&self.mounts, &self.catalogue, self.documents(), &answers)
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

use std::sync::Arc;
use std::time::Duration;

use super::Api;
#[cfg(feature = "metrics")]
use super::metrics::MetricsPlace;
#[cfg(feature = "cors")]
use super::origins;
use super::settings::{Settings, base_url_mistake, reserved_root_mistake, root_mistake};
use crate::encode::{Formatters, Shape};
use crate::error::Error;
use crate::execute::Database;
use crate::extract::UnknownParameters;
use crate::guard::View;
#[cfg(feature = "metrics")]
use crate::metrics::{Endpoints, Metrics};
#[cfg(feature = "oauth2")]
use crate::oauth2::Authorization;
#[cfg(feature = "openapi")]
use crate::openapi;
use crate::operation::Service;
use crate::plan::{self, Dialect};
use crate::query::{QueryLimits, Selection};
use crate::registry::{self, Callers, Registration};
use crate::resource::ApiResource;
use crate::routing::{Catalogue, Entry, Mount};
use crate::schema::{Attribute, ResourceDefinition, Table};
use crate::validator::{Validator, erase};

/// Collects the resources and settings of an [`Api`].
#[derive(Debug, Clone)]
#[must_use = "an API is served only once it is built"]
pub struct ApiBuilder {
    registrations: Vec<Registration>,
    pub(super) settings: Settings,
}

impl ApiBuilder {
    pub(super) fn new() -> Self {
        Self {
            registrations: Vec::new(),
            settings: Settings::default(),
        }
    }

    /// Serves the resource `R`, one version of it.
    pub fn resource<R: ApiResource>(mut self) -> Self {
        self.registrations.push(Registration::of::<R>());
        self
    }

    /// Serves the resource `R` with this validator, which may have a state; it takes the place of
    /// one that the struct names.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, HookResult, Messages, Validator, WriteContext};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Note", url = "/notes", version = "1.0")]
    /// # struct Note { id: i64, title: String }
    /// struct Banned(Vec<String>);
    ///
    /// impl Validator<Note> for Banned {
    ///     async fn validate(
    ///         &self,
    ///         note: &Note,
    ///         _: &mut WriteContext<'_, Note>,
    ///         messages: &mut Messages<Note>,
    ///     ) -> HookResult {
    ///         if self.0.contains(&note.title) {
    ///             messages.about(NoteField::Title, "is banned");
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let builder = Api::builder().resource_with::<Note>(Banned(vec!["spam".into()]));
    /// # drop(builder);
    /// ```
    pub fn resource_with<R: ApiResource>(mut self, validator: impl Validator<R>) -> Self {
        let registration = Registration::of::<R>().with_validator(erase(validator));
        self.registrations.push(registration);
        self
    }

    /// Asks callers who they are, and keeps to what the resources declare of who may do what: a
    /// [`TokenVerifier`](crate::oauth2::TokenVerifier), or an
    /// [`Authorization`](crate::oauth2::Authorization) made of one. Without, everybody may do
    /// everything.
    ///
    /// Every operation of every resource then needs `scopes(…)` or `public`. Validators and hooks find
    /// the user in [`RequestContext::principal`](crate::RequestContext::principal), and the token's
    /// [`Claims`](crate::oauth2::Claims) in the request's extension `Arc<Claims>`. Answers are not to
    /// be stored by caches.
    #[cfg(feature = "oauth2")]
    pub fn authorization(mut self, authorization: impl Into<Authorization>) -> Self {
        self.settings.authorization = Some(authorization.into());
        self
    }

    /// What the API is called in its description and its pages; `API` by default.
    #[cfg(feature = "openapi")]
    pub fn title(mut self, title: impl AsRef<str>) -> Self {
        self.settings.title = Some(Arc::from(title.as_ref()));
        self
    }

    /// What the API is for, as Markdown, in its description and its pages; the page at `/docs` knows
    /// of Markdown paragraphs and code alone.
    #[cfg(feature = "openapi")]
    pub fn description(mut self, text: impl AsRef<str>) -> Self {
        self.settings.description = Some(Arc::from(text.as_ref()));
        self
    }

    /// Answers neither `<root>/<version>/openapi.json` nor, with the feature `docs`, the pages below
    /// `/docs`, which are otherwise for everybody, also where the API asks for access tokens.
    /// [`Api::openapi`] still writes the document.
    #[cfg(feature = "openapi")]
    pub const fn hide_documentation(mut self) -> Self {
        self.settings.documented = false;
        self
    }

    /// The path before the versions; `/api` by default, empty for none. It is not below `/errors`,
    /// `/livez`, `/readyz` or `/metrics`, nor below `/docs` where that is answered: the service tells
    /// of itself there.
    pub fn root(mut self, root: impl Into<String>) -> Self {
        self.settings.root = root.into();
        self
    }

    /// Where clients find this service, `https://api.example.org`: what the links in errors
    /// start with. By default the host that the request names, which is wrong behind a proxy
    /// that ends TLS or changes the host.
    pub fn base_url(mut self, url: impl AsRef<str>) -> Self {
        let url = url.as_ref().trim_end_matches('/');
        self.settings.base_url = Some(Arc::from(url));
        self
    }

    /// The longest body of a request, in bytes; 1 MiB by default.
    pub const fn body_limit(mut self, bytes: usize) -> Self {
        self.settings.body_limit = bytes;
        self
    }

    /// How long each call of a validator's asynchronous methods may take before the request fails;
    /// 10 seconds by default. Whoever waits for a transaction that it began is told 503 meanwhile.
    ///
    /// A write that others outran is tried anew, its hook included, up to three times, but never
    /// once this time is over since its first attempt began.
    pub const fn hook_timeout(mut self, timeout: Duration) -> Self {
        self.settings.hook_timeout = timeout;
        self
    }

    /// The greatest `limit` of a list, for resources that set none of their own; 1000 by
    /// default.
    pub const fn max_limit(mut self, items: u32) -> Self {
        self.settings.max_limit = items;
        self
    }

    /// How large the expressions of `filter`, `order` and `fields` may be.
    pub const fn query_limits(mut self, limits: QueryLimits) -> Self {
        self.settings.query_limits = limits;
        self
    }

    /// Ignores query parameters that an operation does not have, instead of refusing them.
    pub const fn ignore_unknown_parameters(mut self) -> Self {
        self.settings.unknown_parameters = UnknownParameters::Ignored;
        self
    }

    /// Builds the API on `database`; the tables are not touched yet.
    ///
    /// # Errors
    ///
    /// Every mistake of the registrations and settings at once: a path or a name registered
    /// twice, a reference to a resource that is not registered, versions that contradict each
    /// other in the table they share, a default limit above its cap, and, with authorization, an
    /// operation of which nothing says who may use it. Each names the Rust types.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Database};
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting { id: i64 }
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Option", url = "/settings", version = "1.0")]
    /// struct Choice { id: i64 }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), resource_runtime::Error> {
    /// # let file = std::env::temp_dir().join(format!("build-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}", file.display());
    /// let database = Database::connect(&url).await?;
    /// let api = Api::builder().resource::<Setting>().resource::<Choice>().build(database);
    /// let mistake = api.unwrap_err().to_string();
    /// assert!(mistake.contains("Setting` and `") && mistake.contains("Choice`"));
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn build(self, database: Database) -> Result<Api, Error> {
        let callers = self.settings.callers();
        let api = self.clone().assembled(database, callers)?;
        self.warn();
        Ok(api)
    }

    /// Builds what is described and compared, not served: what says who may use it is taken for
    /// kept to, though the verifier that sees to it may not be at hand.
    #[cfg(feature = "cli")]
    pub(crate) fn described(mut self, database: Database) -> Result<Api, Error> {
        let mut registrations = self.registrations.iter();
        if registrations.any(|it| it.definition.declared_guard().is_some()) {
            self.settings.assume_callers();
        }
        self.assembled(database, Callers::Unknown)
    }

    #[cfg(feature = "openapi")]
    fn undescribable(&self) -> Vec<String> {
        let definitions = self.registrations.iter().map(|it| it.definition);
        let described = definitions.filter(|_| self.settings.documented);
        openapi::collisions(described)
    }

    fn warn(&self) {
        if self.settings.is_guarded() {
            for warning in registry::warnings(&self.registrations) {
                tracing::warn!("{warning}");
            }
            return;
        }
        for registration in &self.registrations {
            warn_of_what_is_not_kept(registration.definition);
        }
    }

    fn assembled(self, database: Database, callers: Callers) -> Result<Api, Error> {
        let tables = self.tables(callers)?;
        let Self {
            registrations,
            settings,
        } = self;
        #[cfg(feature = "metrics")]
        let metrics = metrics(&settings, &database);
        let mut catalogue = Catalogue::new(settings.root.clone());
        for registration in &registrations {
            let definition = registration.definition;
            let entry = Entry {
                name: definition.name(),
                collection: definition.collection(),
            };
            catalogue.add(definition.version(), entry);
        }
        let mounts = registrations
            .iter()
            .map(|registration| Mount {
                routes: registration.routes.clone(),
                service: Arc::new(Service {
                    #[cfg(feature = "metrics")]
                    endpoints: endpoints(registration, metrics.as_deref()),
                    ..service(registration, &registrations, &database, &settings)
                }),
                is_latest: registration.is_latest(&registrations),
            })
            .collect();
        Ok(Api {
            database,
            tables,
            mounts,
            catalogue: Arc::new(catalogue),
            settings,
            readiness: Arc::default(),
            #[cfg(feature = "metrics")]
            metrics,
        })
    }

    /// The statements that make the tables of the registered resources, for a migration, without
    /// any database; see [`Api::schema_sql`].
    ///
    /// # Errors
    ///
    /// The mistakes that [`build`](Self::build) would answer with.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Dialect};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting { id: i64, value: Option<String> }
    ///
    /// # fn main() -> Result<(), resource_runtime::Error> {
    /// let sql = Api::builder().resource::<Setting>().schema_sql(Dialect::Sqlite)?;
    /// assert_eq!(sql, r#"CREATE TABLE "settings" (
    ///   "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    ///   "value" TEXT
    /// ) STRICT;
    /// "#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn schema_sql(&self, dialect: Dialect) -> Result<String, Error> {
        let callers = match self.settings.callers() {
            // Whoever wants the tables need not have a verifier at hand.
            Callers::Unasked => Callers::Unknown,
            callers => callers,
        };
        let tables = self.tables(callers)?;
        Ok(plan::schema_sql(dialect, &tables))
    }

    /// The tables that are needed, or every mistake of the registrations and settings.
    fn tables(&self, callers: Callers) -> Result<Vec<Table>, Error> {
        let Self {
            registrations,
            settings,
        } = self;
        let root_mistake = root_mistake(&settings.root);
        let reserved = reserved_root_mistake(settings);
        let base_mistake = settings.base_url.as_deref().and_then(base_url_mistake);
        let mistakes = [root_mistake, reserved, base_mistake].into_iter().flatten();
        #[cfg(feature = "cors")]
        let mistakes = mistakes.chain(origins::mistakes(&settings.origins));
        #[cfg(feature = "openapi")]
        let mistakes = mistakes.chain(self.undescribable());
        let mistakes: Vec<String> = mistakes.collect();
        if !mistakes.is_empty() {
            return Err(Error::of_mistakes(mistakes));
        }
        registry::tables(registrations, settings.max_limit, callers)
    }
}

/// Whoever says who may do what is not to learn by accident that nobody asks.
fn warn_of_what_is_not_kept(definition: &ResourceDefinition) {
    let has_scopes = |attribute: &Attribute| {
        attribute.scopes_to_read().is_some() || attribute.scopes_to_write().is_some()
    };
    let is_declared = definition.declared_guard().is_some()
        || definition.ownership().is_some()
        || definition.all_attributes().iter().any(has_scopes);
    if is_declared {
        tracing::warn!(
            resource = definition.name(),
            version = %definition.version(),
            "its scopes and owners are declared, but this API has no authorization: it serves everybody"
        );
    }
}

#[cfg(feature = "metrics")]
fn metrics(settings: &Settings, database: &Database) -> Option<Arc<Metrics>> {
    let is_asked_for = settings.metrics != MetricsPlace::Nowhere;
    is_asked_for.then(|| Arc::new(Metrics::new(database)))
}

#[cfg(feature = "metrics")]
fn endpoints(registration: &Registration, metrics: Option<&Metrics>) -> Option<Endpoints> {
    metrics.map(|metrics| metrics.endpoints(registration.definition))
}

fn service(
    registration: &Registration,
    all: &[Registration],
    database: &Database,
    settings: &Settings,
) -> Service {
    let definition = registration.definition;
    let shape = Shape::of(
        definition,
        &Selection::all(View::whole(definition)),
        &Formatters::default(),
    );
    let subresources = definition.all_subresources().iter();
    let elsewhere = |wanted| registry::attributes_elsewhere(definition, all, wanted);
    Service {
        definition,
        gate: settings.gate(definition),
        #[cfg(feature = "metrics")]
        endpoints: None,
        database: database.clone(),
        shape: Arc::new(shape),
        hooks: registration.hooks(),
        subresource_hooks: subresources
            .map(|subresource| registry::subresource_hooks(subresource, all))
            .collect(),
        query_limits: settings.query_limits,
        page_limits: registration.page_limits(settings.max_limit),
        body_limit: settings.body_limit,
        hook_timeout: settings.hook_timeout,
        unknown_parameters: settings.unknown_parameters,
        elsewhere: elsewhere(Attribute::has_default),
        updated_elsewhere: elsewhere(Attribute::has_default_on_update),
        unique: registry::unique_sets(definition),
        references: registry::references(definition),
        referrers: registry::referrers(definition, all),
    }
}

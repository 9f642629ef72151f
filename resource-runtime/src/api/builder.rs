//! The builder of an API, which collects resources and settings.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use resource_model::error::Error;
use resource_model::query::QueryLimits;
use resource_model::registry::{self, Callers, CheckedRegistrations, Registration};
use resource_model::schema::ApiResource;
use resource_model::setters;
use resource_sql::{self, Dialect};

use super::Api;
use super::assembly::assembled;
use super::settings::Settings;
use crate::authorization::Authenticator;
use crate::clock::Clock;
use crate::hooks::{Quota, QuotaHook, QuotaRequest, Validator, erase};
use crate::http::extract::UnknownParameters;
#[cfg(feature = "openapi")]
use crate::openapi;
use crate::operation::{IdempotencyKeys, StoredAnswer};
use crate::store::Database;

/// Collects the resources and settings of an [`Api`].
#[derive(Debug, Clone)]
#[must_use = "an API is served only once it is built"]
pub struct ApiBuilder {
    pub(super) registrations: Vec<Registration>,
    pub(super) settings: Settings,
}

impl ApiBuilder {
    pub(super) fn new() -> Self {
        Self {
            registrations: Vec::new(),
            settings: Settings::default(),
        }
    }

    /// Registers a resource; compiled once, not for each resource.
    pub(super) fn register(mut self, registration: Registration) -> Self {
        self.registrations.push(registration);
        self
    }

    /// Serves the resource `R`, which is one version of it.
    pub fn resource<R: ApiResource>(self) -> Self {
        self.register(Registration::of::<R>())
    }

    /// Serves the resource `R` with this validator, which may have a state; it replaces the one that the
    /// struct names.
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
    ///             messages.about(Note::TITLE, "is banned");
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let builder = Api::builder().resource_with::<Note>(Banned(vec!["spam".into()]));
    /// # drop(builder);
    /// ```
    pub fn resource_with<R: ApiResource>(self, validator: impl Validator<R>) -> Self {
        // The validator of the struct itself is replaced here, as a registration has only one.
        self.register(Registration::of::<R>().with_validator(erase(validator)))
    }

    /// Adds the table of `R` without serving it: for rows of your own code alone, like the events of an outbox. `R` takes
    /// part in transactions, references, [`create_missing_tables`](Api::create_missing_tables) and the comparison with
    /// the database like a resource, and has no routes and no place in the documents.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Event", url = "/events", version = "1.0")]
    /// struct Event {
    ///     id: i64,
    ///     text: String,
    /// }
    ///
    /// let builder = Api::builder().table::<Event>();
    /// # drop(builder);
    /// ```
    pub fn table<R: ApiResource>(self) -> Self {
        self.register(Registration::of::<R>().unserved())
    }

    /// Lets clients send the header `Idempotency-Key` with a request for a new item: sent again, by a client that got no
    /// answer, it creates nothing and gets the answer of the first. Keys are known for `lifetime`, from a minute to 30
    /// days, in the table `idempotency_keys`, which is one of the API's tables from now on. The guide
    /// [`idempotency`](crate::guides::idempotency) tells more.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use resource_runtime::Api;
    ///
    /// let builder = Api::builder().idempotency_keys(Duration::from_hours(24));
    /// # drop(builder);
    /// ```
    pub fn idempotency_keys(mut self, lifetime: Duration) -> Self {
        self.settings.idempotency = Some(Arc::new(IdempotencyKeys::new(lifetime)));
        self.table::<StoredAnswer>()
    }

    /// Authenticates callers by an [`Authenticator`], and enforces the scopes and owners that the resources
    /// declare. The package `resource-oauth2` has one for access tokens of OAuth 2. Without, a resource
    /// that declares scopes or an owner is an error of [`build`](Self::build), unless the API is
    /// [`unprotected`](Self::unprotected).
    ///
    /// Every operation of every resource then needs `scopes(…)` or `public`. Validators and hooks find the
    /// user in [`RequestContext::principal`](crate::RequestContext::principal), and the
    /// [`Claims`](crate::authorization::Claims) of the credentials in the request's extension
    /// `Arc<Claims>`. Caches must not store the responses.
    pub fn authorization(mut self, authenticator: impl Authenticator) -> Self {
        self.settings.authenticator = Some(Arc::new(authenticator));
        self
    }

    setters! {
        /// Serves every caller, whatever scopes and owners the resources declare: for a private network, or
        /// behind a proxy that authenticates. Nothing enforces scopes and owners then, which is an error of
        /// [`build`](Self::build) unless this says that it is wanted.
        ///
        /// ```
        /// # use resource_runtime::{Api, ApiResource, Database};
        /// #[derive(ApiResource)]
        /// #[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
        /// struct Note { id: i64 }
        ///
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> Result<(), resource_runtime::Error> {
        /// # let file = std::env::temp_dir().join(format!("unprotected-{}.db", std::process::id()));
        /// # let url = format!("sqlite://{}", file.display());
        /// let database = Database::connect(&url).await?;
        /// let builder = Api::builder().resource::<Note>();
        /// assert!(builder.clone().build(database.clone()).is_err());
        /// assert!(builder.unprotected().build(database).is_ok());
        /// # std::fs::remove_file(&file).unwrap();
        /// # Ok(())
        /// # }
        /// ```
        unprotected() => settings.is_unprotected = true;

        /// Serves neither `<root>/<version>/openapi.json` nor, with the feature `docs`, the pages below
        /// `/docs`, which are otherwise public, also where the API requires access tokens. [`Api::openapi`]
        /// still writes the document.
        #[cfg(feature = "openapi")]
        hide_documentation() => settings.documented = false;

        /// Leaves all tables to the others that made them, as `existing` on a struct does for one: the service creates and
        /// alters none, and no index. The table of [idempotency keys](Self::idempotency_keys) remains its own. Statements
        /// are those of our own tables: for a text in another collation than `C` or `BINARY`, or a time of another form,
        /// [`check_schema`](Api::check_schema) asks for `existing` on the struct.
        ///
        /// ```
        /// use resource_runtime::{Api, ApiResource, Dialect};
        ///
        /// #[derive(ApiResource)]
        /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
        /// struct Setting { id: i64 }
        ///
        /// # fn main() -> Result<(), resource_runtime::Error> {
        /// let builder = Api::builder().resource::<Setting>().existing_tables();
        /// assert_eq!(builder.schema_sql(Dialect::Sqlite)?, "-- Others make the table settings.\n");
        /// # Ok(())
        /// # }
        /// ```
        existing_tables() => settings.has_existing_tables = true;

        /// Offers the operations alone that read, in routes and documents: for a service beside one that writes, on a
        /// standby of PostgreSQL or a SQLite file with `mode=ro`. It is [ready](crate::guides::operation) where the
        /// database takes no writes, [`create_missing_tables`](Api::create_missing_tables) leaves the tables to the
        /// other, and writes of the service's own code are [`Unavailable`](crate::ErrorKind::Unavailable).
        ///
        /// ```
        /// use resource_runtime::{Api, ApiResource, Database};
        ///
        /// #[derive(ApiResource)]
        /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
        /// struct Setting { id: i64 }
        ///
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> Result<(), resource_runtime::Error> {
        /// let database = Database::temporary().await?;
        /// let api = Api::builder().resource::<Setting>().read_only().build(database)?;
        /// assert!(api.items().insert(Setting { id: 1 }).await.is_err());
        /// # Ok(())
        /// # }
        /// ```
        read_only() => settings.is_read_only = true;

        /// The longest body of a request, in bytes; 1 MiB by default.
        body_limit(bytes: usize) => settings.body_limit = bytes;

        /// The timeout of a validator's asynchronous methods: of those before a write together, which fail the
        /// request, and of the one after it; 10 seconds by default. Requests that wait for a transaction that a
        /// hook began get 503 meanwhile. Also that of the function that grants [quota](Self::quota).
        ///
        /// A write that conflicts with others is attempted up to three times, its hook included, but never
        /// again once this time is over since its first attempt began.
        hook_timeout(timeout: Duration) => settings.hook_timeout = timeout;

        /// The greatest `limit` of a list, for resources that set none of their own; 1000 by
        /// default.
        max_limit(items: u32) => settings.max_limit = items;

        /// The greatest `offset` of a list; any by default. The database reads and drops the items before it, so that deep
        /// pages cost much; `cursor` leads on without a limit.
        max_offset(items: u64) => settings.pages.max_offset = items;

        /// Lets clients leave out the total of any list by `count=none`, as `count(none)` on a struct does for one resource.
        uncounted_lists() => settings.pages.may_be_uncounted = true;

        /// The limits to the size of the expressions of `filter`, `order` and `fields`.
        query_limits(limits: QueryLimits) => settings.query_limits = limits;

        /// Refuses every change and deletion without `If-Match` by 428, so that nobody overwrites what they have not
        /// read; `require_if_match` on a struct does so for one resource. A resource whose items have no tags is an
        /// error of [`build`](Self::build); see [`guides::concurrency`](crate::guides::concurrency).
        require_if_match() => settings.requires_if_match = true;

        /// Ignores query parameters that an operation does not have, instead of refusing them.
        ignore_unknown_parameters() => settings.unknown_parameters = UnknownParameters::Ignored;
    }

    /// The path before the versions; `/api` by default, empty for none. The root is not below `/errors`,
    /// `/livez`, `/readyz` or `/metrics`, nor below `/docs` where that is served: the service
    /// describes itself there.
    pub fn root(mut self, root: impl Into<String>) -> Self {
        self.settings.root = root.into();
        self
    }

    /// The URL at which clients find this service, `https://api.example.org`: the start of the links in
    /// errors. By default the host that the request names, which is wrong behind a proxy that ends TLS or
    /// changes the host.
    pub fn base_url(mut self, url: impl AsRef<str>) -> Self {
        // Paths are appended to it, and begin with a slash.
        let url = url.as_ref().trim_end_matches('/');
        self.settings.base_url = Some(Arc::from(url));
        self
    }

    /// The clock that [`RequestContext::now`](crate::RequestContext::now) asks in validators and hooks; by default that
    /// of the system. Expressions of `default` have no clock but their own.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// Asks `hook` before each operation of a client who may use it, with the principal, the operation and the resource,
    /// whether they have quota left: the service keeps no counters of its own, which several instances could not share.
    /// A hook that fails, or takes longer than [`hook_timeout`](Self::hook_timeout), is a 500, and its cause is logged.
    /// Own routes and typed access do not ask.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::sync::Mutex;
    /// use std::time::Duration;
    ///
    /// use resource_runtime::{Api, Quota, QuotaRequest};
    ///
    /// let spent = Mutex::new(HashMap::new());
    /// let builder = Api::builder().quota(move |request: QuotaRequest| {
    ///     let user = request.context.principal().map(|it| it.subject().to_owned());
    ///     let is_left = spent.lock().map(|mut spent| {
    ///         let count: &mut u32 = spent.entry(user).or_default();
    ///         *count += 1;
    ///         *count <= 1000
    ///     });
    ///     let is_left = is_left.map_err(|_| "the counters are lost");
    ///     async move {
    ///         Ok(if is_left? { Quota::Granted } else { Quota::Wait(Duration::from_secs(60)) })
    ///     }
    /// });
    /// # drop(builder);
    /// ```
    pub fn quota<A>(mut self, hook: impl Fn(QuotaRequest) -> A + Send + Sync + 'static) -> Self
    where
        A: Future<Output = Result<Quota, Box<dyn StdError + Send + Sync>>> + Send + 'static,
    {
        self.settings.quota = Some(QuotaHook::new(hook));
        self
    }

    /// Builds the API on `database`; the tables are not touched yet.
    ///
    /// # Errors
    ///
    /// [`Configuration`](crate::ErrorKind::Configuration), with every mistake of the settings at once, or,
    /// where they have none, of the registrations: a path or a name registered twice, a reference to a
    /// resource that is not registered, versions that contradict each other in the table they share, a
    /// default limit above its cap, with authorization an operation without a rule of access, and without,
    /// scopes or owners that nothing enforces. Each names the Rust types.
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
    pub fn build(self, mut database: Database) -> Result<Api, Error> {
        // The kind of callers decides which access rules are mistakes, so it is settled first.
        let callers = self.settings.callers();
        // Mistakes end the build here; all that follows cannot fail.
        let checked = self.checked(callers)?;
        let problems = resource_sql::name_problems(database.dialect(), &checked.tables);
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        // All of these warnings are about access rules.
        if self.settings.is_guarded() {
            for warning in registry::warnings(&self.registrations) {
                tracing::warn!("{warning}");
            }
        }
        for hint in &checked.hints {
            tracing::warn!("{hint}");
        }
        database.is_read_only = self.settings.is_read_only;
        assembled(checked, self.settings, database).require_distinct_routes()
    }

    /// Builds an API that is described and compared, not served: access rules count as enforced, though the
    /// authenticator that does so may not be at hand.
    #[cfg(feature = "cli")]
    pub(crate) fn described(mut self, database: Database) -> Result<Api, Error> {
        // A resource that declares rules is described as if they were enforced, as they are when it is
        // served.
        if self.needs_authenticator() {
            self.settings.assumes_callers = true;
        }
        // Nothing is served, so access rules that nothing enforces are no mistake.
        let checked = self.checked(Callers::Unknown)?;
        // A check before a release warns as the start would.
        for hint in &checked.hints {
            tracing::warn!("{hint}");
        }
        Ok(assembled(checked, self.settings, database))
    }

    /// Tests whether a resource declares rules of access that something has to enforce.
    pub(super) fn needs_authenticator(&self) -> bool {
        let mut registrations = self.registrations.iter();
        let is_guarded = registrations.any(|it| it.definition.declared_guard().is_some());
        is_guarded && !self.settings.is_unprotected
    }

    /// The statements that make the tables of the registered resources, for a migration, without
    /// any database; see [`Api::schema_sql`].
    ///
    /// # Errors
    ///
    /// The problems that [`build`](Self::build) would return.
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
        // The tables are wanted without serving, too, so a missing authenticator is no mistake here.
        let mut callers = self.settings.callers();
        if matches!(callers, Callers::Unauthenticated | Callers::Unprotected) {
            callers = Callers::Unknown;
        }
        let checked = self.checked(callers)?;
        Ok(resource_sql::schema_sql(dialect, &checked.tables))
    }

    /// The problem of each resource that requires idempotency keys, where clients cannot send any.
    fn unkeyed(&self) -> impl Iterator<Item = String> {
        let without = self.settings.idempotency.is_none();
        let definitions = self.registrations.iter().map(|it| it.definition);
        let unkeyed = definitions.filter(move |it| without && it.requires_idempotency_key());
        unkeyed.map(|definition| {
            let name = definition.name();
            format!(
                "`{name}` requires idempotency keys, which this API does not store; add \
                 `.idempotency_keys(Duration::from_hours(24))`"
            )
        })
    }

    /// The registrations with the tables that they need, or every mistake of the settings, or, without one, of them.
    pub(super) fn checked(&self, callers: Callers) -> Result<CheckedRegistrations, Error> {
        // A mistake in the settings ends the build before the resources are looked at.
        let problems = self.settings.problems();
        #[cfg(feature = "openapi")]
        let problems = {
            // Two schemas of one name are a problem only where the documents are served.
            let definitions = registry::served(&self.registrations).map(|it| it.definition);
            let described = definitions.filter(|_| self.settings.documented);
            problems.chain(openapi::collisions(described))
        };
        let conditions = registry::condition_problems(
            registry::served(&self.registrations),
            self.settings.requires_if_match,
        );
        let problems: Vec<String> = problems.chain(conditions).chain(self.unkeyed()).collect();
        if !problems.is_empty() {
            return Err(Error::of_problems(problems));
        }
        let mut checked = registry::checked(&self.registrations, self.settings.max_limit, callers)?;
        let own = StoredAnswer::DEFINITION.table_identifier();
        let of_others = checked.tables.iter_mut().filter(|table| table.name != own);
        of_others.for_each(|table| table.existing |= self.settings.has_existing_tables);
        let narrower = registry::narrower_references(&self.registrations, &checked.tables);
        if !narrower.is_empty() {
            return Err(Error::of_problems(narrower));
        }
        // Afterwards, so that the same mistakes are found as where writes are offered.
        if self.settings.is_read_only {
            return Ok(checked.reading());
        }
        Ok(checked)
    }
}

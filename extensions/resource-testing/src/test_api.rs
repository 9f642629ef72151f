//! An API under test.

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use resource_runtime::authorization::Claims;
use resource_runtime::{Api, ApiBuilder, testing};

use crate::callers::GivenCallers;
use crate::{Client, TestClock, TestDatabase, must};

/// An API under test, on a database of its own, with a clock that the test advances. It dereferences to the [`Api`],
/// so fixtures are `api.items::<Note>().insert(…)`.
///
/// ```
/// use resource_runtime::{Api, ApiResource, new};
/// use resource_testing::TestApi;
/// use serde_json::json;
///
/// #[derive(ApiResource)]
/// #[resource(name = "Note", url = "/notes", version = "1.0")]
/// #[resource(scopes, owner(field = "owner_id"))]
/// struct Note {
///     id: i64,
///     title: String,
///     owner_id: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), resource_runtime::Error> {
/// let api = TestApi::new(Api::builder().resource::<Note>()).await;
/// api.items::<Note>().insert(new!(Note { title: "x", owner_id: "ann" })).await?;
///
/// let ann = api.as_user("ann", ["note.read"]);
/// let note = json!({"id": 1, "title": "x", "owner_id": "ann"});
/// ann.get("/notes/1").await.assert_status(200).assert_json(note);
/// api.as_user("ben", ["note.read"]).get("/notes/1").await.assert_error(404, 10001);
/// api.anonymous().get("/notes/1").await.assert_error(401, 12100);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TestApi {
    api: Api,
    router: Router,
    clock: TestClock,
    /// Dropped last, when no connection uses it any more.
    _database: TestDatabase,
}

impl TestApi {
    /// Builds the API on a SQLite file of its own, and creates the tables. An authenticator is not needed, also where
    /// the resources declare rules of access.
    ///
    /// Panics with the mistakes of the API, if it has any.
    pub async fn new(builder: ApiBuilder) -> Self {
        Self::on(TestDatabase::sqlite().await, TestClock::new(), builder).await
    }

    /// Builds the API on a schema of its own on the PostgreSQL server of the variable `TEST_DATABASE_URL`; see
    /// [`TestDatabase::postgres`].
    #[cfg(feature = "postgres")]
    pub async fn on_postgres(builder: ApiBuilder) -> Self {
        Self::on(TestDatabase::postgres().await, TestClock::new(), builder).await
    }

    /// Builds the API on this database, with a clock that others may ask, too: a verifier of tokens, for instance.
    pub async fn on(database: TestDatabase, clock: TestClock, builder: ApiBuilder) -> Self {
        let builder = builder.clock(clock.clone());
        let builder = testing::authorization_by(builder, |own| GivenCallers { own });
        let api = builder.build(database.database.clone());
        let api = must("the API cannot be built", api);
        must(
            "the tables cannot be created",
            api.create_missing_tables().await,
        );
        Self {
            router: api.router(),
            api,
            clock,
            _database: database,
        }
    }

    /// Sends requests into the router that `router` makes of the API, with layers and routes of your own.
    pub fn with_router(mut self, router: impl FnOnce(Api) -> Router) -> Self {
        self.router = router(self.api.clone());
        self
    }

    /// A client that sends no credentials.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.router, self.root(), None)
    }

    /// A client of the user `subject`, whose credentials grant `scopes`. Where nothing authenticates callers, the
    /// validators still find the user as the principal.
    pub fn as_user<'scope>(
        &self,
        subject: &str,
        scopes: impl IntoIterator<Item = &'scope str>,
    ) -> Client {
        let claims = Claims::new("test").with_subject(subject);
        self.as_bearer(claims.with_scopes(scopes.into_iter().collect()))
    }

    /// A client whose credentials have these claims, where more matters than user, scopes and
    /// [claims of one's own](Client::with_claim): the issuer, or the client.
    pub fn as_bearer(&self, claims: Claims) -> Client {
        Client::new(&self.router, self.root(), Some(Arc::new(claims)))
    }

    /// The clock of the API.
    pub const fn clock(&self) -> &TestClock {
        &self.clock
    }
}

impl Deref for TestApi {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

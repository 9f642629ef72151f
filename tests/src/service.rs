//! A service under test: an API on a port of its own, which is stopped and checked when it is dropped.

use std::net::SocketAddr;
use std::ops::Deref;
use std::thread;

use axum::Router;
use resource_runtime::{Api, Database, DatabaseOptions, Error};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::documented::Documents;
use crate::models::{Address, Person, SettingOne, SettingTwo};
use crate::polling::PATIENCE;
use crate::runtime::runtime;
use crate::{Client, TestDatabase};

/// An API that is served on a port of its own until the test drops it.
///
/// Used through its [`Client`], to which it dereferences. Dropping it also checks that the server ends
/// gracefully, and that its routes are the operations that it describes, so every test tests that.
#[derive(Debug)]
pub struct Service {
    client: Client,
    database: TestDatabase,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl Service {
    /// Serves the API that `build` makes, on a new database.
    pub fn start(build: impl FnOnce(Database) -> Result<Api, Error>) -> Self {
        Self::start_wrapped(build, |app| app)
    }

    /// Serves the API that `build` makes, on a database that may hold items already.
    pub fn start_on(
        database: &TestDatabase,
        build: impl FnOnce(Database) -> Result<Api, Error>,
    ) -> Self {
        Self::start_with(database, Database::options(), build)
    }

    /// Serves the API that `build` makes, on a database that is opened with these options.
    pub fn start_with(
        database: &TestDatabase,
        options: DatabaseOptions,
        build: impl FnOnce(Database) -> Result<Api, Error>,
    ) -> Self {
        let api = open(database, options, build);
        runtime()
            .block_on(api.create_missing_tables())
            .expect("the tables can be created");
        Self::serve_documented(database, api.router(), api)
    }

    /// Serves the API that `build` makes without its tables: every access to an item fails.
    pub fn start_without_tables(build: impl FnOnce(Database) -> Result<Api, Error>) -> Self {
        let database = TestDatabase::default();
        let api = open(&database, Database::options(), build);
        Self::serve_documented(&database, api.router(), api)
    }

    /// Serves what `wrap` makes of the router of the API that `build` makes, on a new database.
    ///
    /// Checks as well that the tables of the database are those that the API needs, so every resource of a
    /// test tests that.
    pub fn start_wrapped(
        build: impl FnOnce(Database) -> Result<Api, Error>,
        wrap: impl FnOnce(Router) -> Router,
    ) -> Self {
        let database = TestDatabase::default();
        let api = open(&database, Database::options(), build);
        runtime()
            .block_on(api.create_missing_tables())
            .expect("the tables can be created");
        let report = runtime().block_on(api.check_schema());
        let report = report.expect("the tables are what is needed");
        assert!(report.is_empty(), "{report}");
        Self::serve_documented(&database, wrap(api.router()), api)
    }

    /// Serves any router, whose items are in this database.
    pub fn serve(database: &TestDatabase, app: Router) -> Self {
        let listener = runtime()
            .block_on(TcpListener::bind("127.0.0.1:0"))
            .expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        let (stop, stopped) = oneshot::channel();
        let server = runtime().spawn(async move {
            let end = async { stopped.await.expect("the service outlives its server") };
            resource_runtime::serve_until(listener, app, end)
                .await
                .expect("serving succeeds");
        });
        Self {
            client: Client::new(address),
            database: database.clone(),
            stop: Some(stop),
            server: Some(server),
        }
    }

    fn serve_documented(database: &TestDatabase, app: Router, api: Api) -> Self {
        let mut service = Self::serve(database, app);
        service.client = Client::documented(service.address(), Documents::of(api));
        service
    }

    /// The database of the items.
    #[must_use]
    pub fn database(&self) -> &TestDatabase {
        &self.database
    }

    /// The address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.client.address()
    }
}

impl Deref for Service {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let stop = self.stop.take().expect("dropped once");
        let server = self.server.take().expect("dropped once");
        // A server that has died receives nothing; the join below tells why.
        let _ = stop.send(());
        let ended = runtime().block_on(async { timeout(PATIENCE, server).await });
        // A second panic while a test fails would abort the whole test binary.
        if !thread::panicking() {
            runtime().block_on(self.client.check_routes());
            ended
                .expect("the server ends in time")
                .expect("the server has not panicked");
        }
    }
}

/// The example of the specification: settings in two versions, addresses, and persons.
#[must_use]
pub fn address_book() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<SettingOne>()
            .resource::<SettingTwo>()
            .resource::<Address>()
            .resource::<Person>()
            .build(database)
    })
}

fn open(
    database: &TestDatabase,
    options: DatabaseOptions,
    build: impl FnOnce(Database) -> Result<Api, Error>,
) -> Api {
    let database = runtime()
        .block_on(options.connect(&database.url()))
        .expect("the database opens");
    build(database).expect("the API is sound")
}

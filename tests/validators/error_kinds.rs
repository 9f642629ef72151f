//! Kinds of errors of public methods, by which callers distinguish them without their texts.

use std::time::Duration;

use resource_runtime::{
    Api, ApiResource, Database, Error, ErrorKind, HookError, Transaction, sqlx,
};
use resource_tests::{Backend, TestDatabase, apply, block_on, every_database};

#[derive(Debug, ApiResource)]
#[resource(name = "Album", url = "/albums", version = "1.0")]
struct Album {
    id: i64,
    #[resource(max_length = 5, unique, column = "label")]
    title: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    #[resource(references = Album)]
    album_id: i64,
}

fn album(title: &str) -> Album {
    Album {
        id: 0,
        title: title.to_owned(),
    }
}

async fn connected(test: &TestDatabase) -> Api {
    let options = Database::options().acquire_timeout(Duration::from_millis(200));
    let options = options.connections(1);
    let database = options.connect(&test.url()).await.expect("a database");
    let api = Api::builder().resource::<Album>().resource::<Track>();
    let api = api.build(database).expect("an API");
    api.create_missing_tables().await.expect("tables");
    api
}

async fn inserted<R: ApiResource>(transaction: &mut Transaction, item: R) -> Result<(), Error> {
    let items = transaction.items::<R>().without_hooks();
    items.insert(item).await.map(drop)
}

#[apply(every_database)]
fn constraint_violations_have_kinds_of_their_own() {
    let test = TestDatabase::default();
    block_on(async {
        let api = connected(&test).await;
        let begun = || async { api.begin().await.expect("a transaction") };
        let mut transaction = begun().await;
        inserted(&mut transaction, album("blue"))
            .await
            .expect("an album");
        let taken = inserted(&mut transaction, album("blue")).await;
        let taken = taken.unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::NotUnique);
        assert_eq!(taken.attributes(), ["title"]);
        let ended = inserted(&mut transaction, album("red")).await.unwrap_err();
        assert_eq!(ended.kind(), ErrorKind::Internal);
        assert!(!ended.is_retryable());
        drop(transaction);
        let orphan = Track { id: 0, album_id: 9 };
        let orphan = inserted(&mut begun().await, orphan).await.unwrap_err();
        assert_eq!(orphan.kind(), ErrorKind::MissingReference);
        let long = inserted(&mut begun().await, album("longer")).await;
        assert_eq!(long.unwrap_err().kind(), ErrorKind::Refused);
    });
}

#[apply(every_database)]
fn acquire_timeout_is_unavailable() {
    let test = TestDatabase::default();
    block_on(async {
        let api = connected(&test).await;
        let mut held = api.begin().await.expect("a transaction");
        inserted(&mut held, album("blue")).await.expect("an album");
        let refused = api.begin().await.expect_err("it is held");
        assert_eq!(refused.kind(), ErrorKind::Unavailable);
        assert!(refused.is_retryable());
        held.commit(()).await.expect("the commit");
    });
}

#[apply(every_database)]
fn transaction_ended_by_raw_sql_is_internal() {
    let test = TestDatabase::default();
    block_on(async {
        let api = connected(&test).await;
        let mut transaction = api.begin().await.expect("a transaction");
        inserted(&mut transaction, album("blue"))
            .await
            .expect("an album");
        let ended = match Backend::under_test() {
            Backend::Sqlite => {
                let connection = transaction.sqlite().expect("SQLite");
                sqlx::query("COMMIT").execute(connection).await.map(drop)
            }
            Backend::Postgres => {
                let connection = transaction.postgres().expect("PostgreSQL");
                sqlx::query("COMMIT").execute(connection).await.map(drop)
            }
        };
        ended.expect("the end");
        let failed = transaction.commit(()).await.expect_err("it has ended");
        assert_eq!(failed.kind(), ErrorKind::Internal);
    });
}

#[apply(every_database)]
fn build_errors_are_configuration_errors_with_a_remedy() {
    let (test, empty) = (TestDatabase::default(), TestDatabase::default());
    block_on(async {
        let database = Database::connect(&test.url()).await.expect("a database");
        let mistake = Api::builder()
            .build(database)
            .expect_err("nothing is served");
        assert_eq!(mistake.kind(), ErrorKind::Configuration);
        let [problem] = mistake.problems() else {
            panic!("{mistake}")
        };
        assert_eq!(problem.message(), "no resource is registered");
        assert_eq!(
            problem.remedy(),
            Some("add `.resource::<T>()` for each of them")
        );
        let api = Api::builder().resource::<Album>();
        let database = Database::connect(&empty.url()).await.expect("a database");
        let api = api.build(database).expect("an API");
        let missing = api.check_schema().await.expect_err("there is no table");
        assert_eq!(missing.kind(), ErrorKind::Configuration);
    });
}

/// The same for PostgreSQL is in `tests/postgres/unreachable_server.rs`.
#[test]
fn commit_that_fails_unexpectedly_has_an_unknown_outcome() {
    let test = TestDatabase::default();
    block_on(async {
        let api = connected(&test).await;
        let mut transaction = api.begin().await.expect("a transaction");
        inserted(&mut transaction, album("blue"))
            .await
            .expect("an album");
        let connection = transaction.sqlite().expect("SQLite");
        let mut handle = connection.lock_handle().await.expect("the connection");
        handle.set_commit_hook(|| false);
        drop(handle);
        let unknown = transaction.commit(()).await.expect_err("the commit fails");
        assert_eq!(unknown.kind(), ErrorKind::OutcomeUnknown, "{unknown}");
        assert!(!unknown.is_retryable());
    });
}

#[test]
fn unreachable_server_is_unavailable() {
    let options = Database::options().acquire_timeout(Duration::from_millis(200));
    let refused = block_on(options.connect("postgres://tester@127.0.0.1:1/postgres"));
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Unavailable);
    let refused = block_on(Database::connect("mysql://localhost/shop"));
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Configuration);
}

#[test]
fn refusal_of_a_hook_names_its_attribute() {
    let refused = HookError::refused_for(Album::TITLE, "is banned").into_error();
    assert_eq!(refused.kind(), ErrorKind::Refused);
    assert_eq!(refused.attributes(), ["title"]);
    assert_eq!(refused.to_string(), "`title` is banned");
    let text: Box<dyn std::error::Error + Send + Sync> = HookError::refused("no").into();
    assert_eq!(text.to_string(), "no");
    let failed = HookError::failed("the disk burns; so does the house").into_error();
    assert_eq!(failed.kind(), ErrorKind::Internal);
    assert_eq!(failed.problems()[0].remedy(), None, "{failed}");
}

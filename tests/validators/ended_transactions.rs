//! Transactions that end early: nothing of them is stored or acknowledged.

use resource_runtime::sqlx::{self, AssertSqlSafe};
use resource_runtime::{
    Api, ApiResource, Database, HookError, HookResult, Transaction, Validator, WriteContext,
};
use resource_tests::{
    Backend, Service, TestDatabase, apply, block_on, every_database, responses_differ,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
struct Event {
    id: i64,
    #[resource(unique)]
    name: String,
}

/// An item whose hook executes the SQL in its name, and ignores every error.
#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Careless)]
struct Order {
    id: i64,
    name: String,
}

#[derive(Debug, Default)]
struct Careless;

impl Validator<Order> for Careless {
    async fn before_create(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let transaction = context.database().await?;
        match order.name.as_str() {
            "typed" => {
                for name in ["first", "first", "second"] {
                    let _ = insert(transaction, name).await;
                }
            }
            "full" => fill(transaction).await,
            sql => {
                let _ = insert(transaction, "first").await;
                let _ = raw(transaction, sql).await;
            }
        }
        Ok(())
    }
}

/// Stores a row that exceeds the maximum size of the file.
async fn fill(transaction: &mut Transaction) {
    let _ = raw(transaction, "PRAGMA max_page_count = 1").await;
    let _ = insert(transaction, &"long".repeat(100_000)).await;
}

async fn insert(transaction: &mut Transaction, name: &str) -> Result<(), HookError> {
    let event = Event {
        id: 0,
        name: name.to_owned(),
    };
    let events = transaction.items::<Event>().without_hooks();
    Ok(events.insert(event).await.map(drop)?)
}

/// Executes SQL on the connection of the transaction; fails where there is none.
async fn raw(transaction: &mut Transaction, sql: &str) -> Result<(), HookError> {
    let statement = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    if let Some(connection) = transaction.sqlite() {
        statement.execute(connection).await?;
    } else if let Some(connection) = transaction.postgres() {
        statement.execute(connection).await?;
    } else {
        return Err(HookError::failed("no connection is lent"));
    }
    Ok(())
}

const ORDERS: &str = "/api/1.0/orders";

/// A service, and a second API for transactions of the test.
fn started() -> (Service, Api) {
    let tables = TestDatabase::default();
    let build = |database| {
        let api = Api::builder().resource::<Order>().resource::<Event>();
        api.build(database)
    };
    let service = Service::start_on(&tables, build);
    // With one connection, session state that was left behind would reach the next transaction.
    let database = block_on(Database::options().connections(1).connect(&tables.url()));
    (service, build(database.unwrap()).unwrap())
}

fn stored(service: &Service) -> String {
    let mut other = service.database().other_program();
    other.text("SELECT CAST(COUNT(*) AS TEXT) FROM events")
}

/// The status, the number of orders and the number of events after a hook of this name.
fn after_hook(service: &Service, name: &str) -> (u16, String, String) {
    let status = service.post(ORDERS, &json!({"name": name})).status;
    let orders = service.read(ORDERS)["totalItems"].to_string();
    (status, orders, stored(service))
}

fn none_stored() -> (u16, String, String) {
    (500, "0".to_owned(), "0".to_owned())
}

#[apply(every_database)]
fn failed_statement_ends_the_transaction_and_commit_names_the_cause() {
    let (service, api) = started();
    let error = block_on(async {
        let mut transaction = api.begin().await.unwrap();
        insert(&mut transaction, "first").await.unwrap();
        insert(&mut transaction, "first").await.unwrap_err();
        let second = insert(&mut transaction, "second").await;
        assert!(
            second.is_err(),
            "a statement follows in an ended transaction"
        );
        transaction.commit(()).await.unwrap_err()
    });
    assert!(error.to_string().contains("rolled back"), "{error}");
    assert!(error.to_string().contains("name"), "{error}");
    assert_eq!(stored(&service), "0");
}

#[apply(every_database)]
fn dropped_statement_ends_the_transaction() {
    let (service, api) = started();
    // Otherwise the statement might end before it is dropped.
    let mut other = service.database().other_program();
    other.execute(match Backend::under_test() {
        Backend::Sqlite => {
            "CREATE VIEW numbers AS WITH RECURSIVE n (n) AS
               (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000000) SELECT n FROM n;
             CREATE TRIGGER slow BEFORE INSERT ON events BEGIN SELECT SUM(n) FROM numbers; END"
        }
        Backend::Postgres => "BEGIN; LOCK TABLE events IN EXCLUSIVE MODE",
    });
    let error = block_on(async {
        let mut transaction = api.begin().await.unwrap();
        tokio::select! {
            biased;
            _ = insert(&mut transaction, "first") => panic!("it is done at once"),
            () = std::future::ready(()) => {}
        }
        transaction.commit(()).await.unwrap_err()
    });
    drop(other);
    assert!(error.to_string().contains("abandoned"), "{error}");
    assert_eq!(stored(&service), "0");
}

#[apply(every_database)]
fn hook_that_ignores_a_failed_statement_stores_nothing() {
    let (service, _) = started();
    assert_eq!(after_hook(&service, "typed"), none_stored());
}

#[apply(every_database)]
fn hook_that_ends_the_transaction_itself_stores_no_item() {
    let (service, _) = started();
    assert_eq!(after_hook(&service, "ROLLBACK"), none_stored());
    let committed = (500, "0".to_owned(), "1".to_owned());
    assert_eq!(after_hook(&service, "COMMIT"), committed);
    // The committed row has taken the name: the unique violation has ended the transaction.
    assert_eq!(after_hook(&service, "COMMIT; BEGIN"), committed);
}

#[apply(every_database)]
fn commit_fails_where_the_server_rolls_back() {
    let (service, api) = started();
    let committed = block_on(async {
        let mut transaction = api.begin().await.unwrap();
        insert(&mut transaction, "first").await.unwrap();
        let first = "INSERT INTO events (name) VALUES ('first')";
        raw(&mut transaction, first).await.unwrap_err();
        transaction.commit(()).await
    });
    match Backend::under_test() {
        // On SQLite, a constraint violation ends the statement alone.
        Backend::Sqlite => {
            committed.unwrap();
            assert_eq!(stored(&service), "1");
        }
        Backend::Postgres => {
            assert!(
                committed.is_err(),
                "a transaction that was rolled back is committed"
            );
            assert_eq!(stored(&service), "0");
        }
    }
}

#[test]
fn hook_that_ignores_a_trigger_that_rolls_back_stores_nothing() {
    let (service, _) = started();
    service.database().other_program().execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.name = 'refused'
         BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
    );
    let refused = "INSERT INTO events (name) VALUES ('refused')";
    assert_eq!(after_hook(&service, refused), none_stored());
}

#[test]
fn hook_that_ignores_a_full_disk_stores_nothing() {
    let (service, _) = started();
    let (_, orders, events) = none_stored();
    assert_eq!(after_hook(&service, "full"), (503, orders, events));
}

#[apply(every_database)]
fn settings_of_a_hook_reach_no_other_request() {
    responses_differ("the databases have other settings");
    let (_service, api) = started();
    let (leave, look) = match Backend::under_test() {
        Backend::Sqlite => (
            "PRAGMA ignore_check_constraints = ON; CREATE TEMP TABLE left_behind (a)",
            "CREATE TEMP TABLE left_behind AS SELECT 1 / (1 - ignore_check_constraints)
             FROM pragma_ignore_check_constraints; DROP TABLE left_behind",
        ),
        Backend::Postgres => (
            "SET statement_timeout = '1h'; SELECT set_config('shop.tenant', '7', false);
             SELECT pg_advisory_lock(4711); CREATE TEMP TABLE left_behind (a integer);
             SET ROLE pg_monitor",
            "DO $$ BEGIN
               ASSERT current_setting('statement_timeout') = '5s', 'statement_timeout';
               ASSERT COALESCE(current_setting('shop.tenant', true), '') = '', 'set_config';
               ASSERT current_user = session_user, 'role';
               ASSERT NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory'
                                  AND pid = pg_backend_pid()), 'lock';
               ASSERT to_regclass('left_behind') IS NULL, 'table'; END $$",
        ),
    };
    block_on(async {
        let mut first = api.begin().await.unwrap();
        raw(&mut first, leave).await.unwrap();
        first.commit(()).await.unwrap();
        let mut second = api.begin().await.unwrap();
        raw(&mut second, look).await.unwrap();
        second.commit(()).await.unwrap();
        // Also after a rollback.
        let mut first = api.begin().await.unwrap();
        let _ = raw(&mut first, "SELECT pg_advisory_lock(4711)").await;
        let _ = raw(&mut first, "PRAGMA ignore_check_constraints = ON").await;
        drop(first);
        let mut second = api.begin().await.unwrap();
        raw(&mut second, look).await.unwrap();
    });
}

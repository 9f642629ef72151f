//! Hooks whose database is full or read-only: 503, and nothing is written.

use resource_runtime::sqlx::{self, AssertSqlSafe};
use resource_runtime::{
    Api, ApiResource, HookError, HookResult, Transaction, Validator, WriteContext,
};
use resource_tests::{Service, TestDatabase, assert_error, watch};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
struct Event {
    id: i64,
    name: String,
}

/// An order whose name contains a `PRAGMA` for its hook, and the way in which the hook stores an event.
#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Storing)]
struct Order {
    id: i64,
    name: String,
}

#[derive(Debug, Default)]
struct Storing;

impl Storing {
    async fn store(name: &str, context: &mut WriteContext<'_, Order>) -> HookResult {
        let Some((setting, how)) = name.split_once('/') else {
            return Ok(());
        };
        let transaction = context.database().await?;
        raw(transaction, &format!("PRAGMA {setting}")).await?;
        match how {
            "raw" => {
                let event = "INSERT INTO events (name) VALUES (hex(zeroblob(400000)))";
                raw(transaction, event).await
            }
            "typed" => typed(transaction).await,
            _ => {
                let _ = typed(transaction).await;
                Ok(())
            }
        }
    }
}

impl Validator<Order> for Storing {
    async fn before_create(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        Self::store(&order.name, context).await
    }

    async fn before_update(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        Self::store(&order.name, context).await
    }
}

async fn raw(transaction: &mut Transaction, sql: &str) -> Result<(), HookError> {
    let connection = transaction.sqlite();
    let connection = connection.ok_or_else(|| HookError::failed("no connection is lent"))?;
    let statement = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    statement.execute(connection).await?;
    Ok(())
}

async fn typed(transaction: &mut Transaction) -> Result<(), HookError> {
    let event = Event {
        id: 0,
        name: "long".repeat(200_000),
    };
    Ok(transaction.items().insert(event).await.map(drop)?)
}

const ORDERS: &str = "/api/1.0/orders";

#[test]
fn hook_on_a_full_or_read_only_database_is_503_10090() {
    let service = Service::start_on(&TestDatabase::sqlite(), |database| {
        let api = Api::builder().resource::<Order>().resource::<Event>();
        api.build(database)
    });
    let path = service.create(ORDERS, &json!({"name": "first"}));
    for (setting, remedy) in [
        ("max_page_count = 1", "free space"),
        ("query_only = ON", "read-only"),
    ] {
        for how in ["raw", "typed", "ignored"] {
            let log = watch::keep();
            let order = json!({"name": format!("{setting}/{how}")});
            for answer in [service.post(ORDERS, &order), service.put(&path, &order)] {
                assert_error(&answer, 503, 10090);
                assert!(answer.header("retry-after").is_some());
            }
            assert!(log.text().contains(remedy), "{}", log.text());
        }
    }
    assert_eq!(service.read(&path)["name"], "first");
    assert_eq!(service.read(ORDERS)["totalItems"], 1);
    assert_eq!(service.read("/api/1.0/events")["totalItems"], 0);
    service.create(ORDERS, &json!({"name": "second"}));
}

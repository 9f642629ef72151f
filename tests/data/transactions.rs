//! Transactions from Rust: retries, writes with hooks within them, hooks of rows, and reads of one snapshot.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use resource_runtime::{
    Api, ApiResource, Change, Database, Error, ErrorKind, HookError, HookResult, Messages,
    ReadTransaction, Validator, WriteContext, sqlx,
};
use resource_tests::{Backend, Service, TestDatabase, apply, block_on, every_database, watch};
use serde_json::json;

/// An order, of which each write is noted as an event.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Orders)]
struct Order {
    id: i64,
    article: String,
    #[resource(default = 0)]
    number: i64,
}

/// An event of the outbox, which no client sees.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0", validator = Events)]
struct Event {
    id: i64,
    #[resource(references = Order, unique)]
    order_id: Option<i64>,
    #[resource(max_length = 40)]
    text: String,
}

#[derive(Debug, Default)]
struct Orders;

/// Stores an event in the transaction of a write.
async fn note(
    context: &mut WriteContext<'_, Order>,
    order_id: Option<i64>,
    text: String,
) -> HookResult {
    let id = 0;
    let event = Event { id, order_id, text };
    context.items::<Event>().insert(event).await?;
    Ok(())
}

/// Calls of hooks after a commit, by all tests of this process that create an order named `counted`.
static AFTER: AtomicUsize = AtomicUsize::new(0);

impl Validator<Order> for Orders {
    async fn row_created(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let text = format!("created {} as {}", order.article, order.id);
        note(context, Some(order.id), text).await?;
        order.number = order.id * 100;
        if order.article == "stuck" {
            std::future::pending::<()>().await;
        }
        if order.article == "refused" {
            return Err(HookError::refused("no such article"));
        }
        Ok(())
    }

    async fn row_updated(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let stored = context
            .stored()?
            .ok_or_else(|| HookError::failed("no item"))?;
        let text = format!("renamed {} to {}", stored.article, order.article);
        note(context, None, text).await
    }

    async fn row_deleted(
        &self,
        order: &Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let text = format!("deleted {}", order.article);
        note(context, None, text).await
    }

    async fn before_delete(
        &self,
        order: &Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        // The event refers to the order.
        let of_order = Event::ORDER_ID.eq(order.id);
        let event = context.items::<Event>().filter(of_order).first().await?;
        if let Some(event) = event {
            context.items::<Event>().delete(event.id).await?;
        }
        Ok(())
    }

    async fn after_create(&self, order: &Order, _: &Change<Order>) -> HookResult {
        if order.article == "counted" {
            AFTER.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Events;

impl Validator<Event> for Events {
    async fn validate(
        &self,
        event: &Event,
        _: &mut WriteContext<'_, Event>,
        messages: &mut Messages<Event>,
    ) -> HookResult {
        if event.text.contains("invalid") {
            messages.about(Event::TEXT, "is invalid");
        }
        Ok(())
    }
}

/// An item whose creation creates another one, without an end.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Rabbit", url = "/rabbits", version = "1.0", validator = Rabbits)]
struct Rabbit {
    id: i64,
}

#[derive(Debug, Default)]
struct Rabbits;

impl Validator<Rabbit> for Rabbits {
    async fn before_create(
        &self,
        _: &mut Rabbit,
        context: &mut WriteContext<'_, Rabbit>,
    ) -> HookResult {
        context.items::<Rabbit>().insert(Rabbit { id: 0 }).await?;
        Ok(())
    }
}

fn started() -> (Service, Api) {
    let build = |database| {
        let api = Api::builder().resource::<Order>().resource::<Rabbit>();
        api.table::<Event>().build(database)
    };
    let database = TestDatabase::default();
    let service = Service::start_on(&database, build);
    let own = block_on(Database::connect(&database.url())).expect("the database opens");
    (service, build(own).expect("the API is built"))
}

fn order(article: &str) -> Order {
    Order {
        id: 0,
        article: article.to_owned(),
        number: 0,
    }
}

async fn events(api: &Api) -> Vec<String> {
    let events = api.items::<Event>().limit(99).select(Event::TEXT);
    events.all().await.expect("the events")
}

const ORDERS: &str = "/api/1.0/orders";

#[apply(every_database)]
fn hook_of_the_row_knows_the_key_and_writes_with_the_item_by_http_and_from_rust() {
    let (service, api) = started();
    service.post(ORDERS, &json!({"article": "pen"}));
    let renamed = json!({"article": "ink"});
    assert_eq!(service.put(&format!("{ORDERS}/1"), &renamed).status, 204);
    assert_eq!(service.delete(&format!("{ORDERS}/1")).status, 204);
    let by_http = ["created pen as 1", "renamed pen to ink", "deleted ink"];
    block_on(async {
        assert_eq!(events(&api).await, by_http[1..]);
        let orders = api.items::<Order>();
        let pen = orders.insert(order("pen")).await?;
        assert_eq!((pen.id, pen.number), (2, 200));
        assert_eq!(orders.get(2).await?.unwrap(), pen);
        orders.update(2).set(Order::ARTICLE, "ink").await?;
        assert_eq!(orders.get(2).await?.unwrap().number, 200);
        orders.delete(2).await?;
        assert_eq!(events(&api).await, [&by_http[1..], &by_http[1..]].concat());
        Ok::<(), Error>(())
    })
    .unwrap();
    assert_eq!(service.get("/api/1.0/events").status, 404);
}

#[apply(every_database)]
fn refusal_of_the_hook_of_the_row_leaves_neither_item_nor_event() {
    let (service, api) = started();
    let refused = service.post(ORDERS, &json!({"article": "refused"}));
    assert_eq!(refused.status, 400);
    // The event is refused by its own validator: a defect of the hook.
    assert_eq!(
        service.post(ORDERS, &json!({"article": "invalid"})).status,
        500
    );
    block_on(async {
        let refused = api.items::<Order>().insert(order("refused")).await;
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Refused);
        assert_eq!(events(&api).await, [""; 0]);
        assert_eq!(api.items::<Order>().count().await.unwrap(), 0);
    });
}

#[apply(every_database)]
fn transaction_runs_hooks_and_those_after_the_commit_wait_for_it() {
    let (_service, api) = started();
    let before = AFTER.load(Ordering::SeqCst);
    block_on(async {
        let id = api
            .transaction(|mut transaction| async move {
                let created = transaction.items().insert(order("counted")).await?;
                let events = transaction.items::<Event>().count().await?;
                assert_eq!((events, AFTER.load(Ordering::SeqCst)), (1, before));
                transaction.commit(created.id).await
            })
            .await?;
        assert_eq!((id, AFTER.load(Ordering::SeqCst)), (1, before + 1));
        // Dropped, it leaves nothing behind, and calls no hook.
        let mut dropped = api.begin().await?;
        dropped.items().insert(order("counted")).await?;
        drop(dropped);
        assert_eq!(events(&api).await.len(), 1);
        assert_eq!(AFTER.load(Ordering::SeqCst), before + 1);
        Ok::<(), Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn write_that_fails_ends_the_transaction_whoever_ignores_it() {
    let (_service, api) = started();
    block_on(async {
        for failing in ["refused", "missing"] {
            let mut transaction = api.begin().await.unwrap();
            transaction.items().insert(order("pen")).await.unwrap();
            let failed = match failing {
                "refused" => transaction.items().insert(order("refused")).await.map(drop),
                _ => transaction.items::<Order>().delete(99).await,
            };
            let kind = failed.unwrap_err().kind();
            assert!(
                matches!(kind, ErrorKind::Refused | ErrorKind::NotFound),
                "{kind:?}"
            );
            let ended = transaction.commit(()).await.unwrap_err();
            assert_eq!(ended.kind(), ErrorKind::Internal);
            assert!(
                ended.to_string().contains("a write in it failed"),
                "{ended}"
            );
            assert_eq!(api.items::<Order>().count().await.unwrap(), 0);
        }
    });
}

#[apply(every_database)]
fn hooks_without_an_end_are_an_error() {
    let (service, api) = started();
    assert_eq!(service.post("/api/1.0/rabbits", &json!({})).status, 500);
    block_on(async {
        let many = api.items::<Rabbit>().insert(Rabbit { id: 0 }).await;
        let many = many.unwrap_err().to_string();
        assert!(many.contains("8 deep"), "{many}");
        assert_eq!(api.items::<Rabbit>().count().await.unwrap(), 0);
    });
}

#[apply(every_database)]
fn abandoned_write_with_hooks_is_not_committed() {
    let (_service, api) = started();
    block_on(async {
        let mut transaction = api.begin().await.unwrap();
        let write = Box::pin(transaction.items().insert(order("stuck")));
        assert!(write.now_or_never().is_none(), "the hook has ended");
        assert!(transaction.commit(()).await.is_err());
        assert_eq!(api.items::<Order>().count().await.unwrap(), 0);
    });
}

/// The number of an order, incremented in a transaction.
async fn increment(api: &Api, attempts: &AtomicUsize) -> Result<(), Error> {
    api.transaction(|mut transaction| async move {
        attempts.fetch_add(1, Ordering::SeqCst);
        let order = transaction.items::<Order>().get(1).await?;
        let next = order.map_or(0, |order| order.number) + 1;
        let orders = transaction.items::<Order>().without_hooks();
        orders.update(1).set(Order::NUMBER, next).await?;
        transaction.commit(()).await
    })
    .await
}

#[apply(every_database)]
fn conflicting_transactions_are_retried_until_none_is_lost() {
    let (_service, api) = started();
    let attempts = AtomicUsize::new(0);
    let number = block_on(async {
        let orders = api.items::<Order>().without_hooks();
        orders.insert(order("pen")).await.unwrap();
        let task = || async {
            for _ in 0..200 {
                increment(&api, &attempts).await.unwrap();
            }
        };
        futures_util::future::join_all((0..8).map(|_| task())).await;
        api.items::<Order>().get(1).await.unwrap().unwrap().number
    });
    assert_eq!(number, 1600);
}

/// The same for PostgreSQL is in `tests/postgres/unreachable_server.rs`.
#[test]
fn unknown_outcome_is_never_retried() {
    let (_service, api) = started();
    let attempts = AtomicUsize::new(0);
    let attempts = &attempts;
    let failed = block_on(api.transaction(|mut transaction| async move {
        attempts.fetch_add(1, Ordering::SeqCst);
        transaction.items().insert(order("pen")).await?;
        let connection = transaction.sqlite().expect("SQLite");
        let mut handle = connection.lock_handle().await.expect("the connection");
        handle.set_commit_hook(|| false);
        drop(handle);
        transaction.commit(()).await
    }));
    let failed: Error = failed.unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::OutcomeUnknown, "{failed}");
    assert_eq!(attempts.load(Ordering::SeqCst), 1);
}

#[apply(every_database)]
fn snapshot_sees_no_later_write_and_keeps_no_writer_waiting() {
    let (_service, api) = started();
    block_on(async {
        let orders = api.items::<Order>().without_hooks();
        orders.insert(order("pen")).await?;
        let mut snapshot = api.read().await?;
        assert_eq!(snapshot.items::<Order>().count().await?, 1);
        // A writer that waited for the snapshot would fail after its timeout.
        for _ in 0..1000 {
            orders.insert(order("ink")).await?;
        }
        assert_eq!(snapshot.items::<Order>().count().await?, 1);
        let ink = Order::ARTICLE.like("%nk");
        assert!(
            snapshot
                .items::<Order>()
                .filter(ink.clone())
                .first()
                .await?
                .is_none()
        );
        drop(snapshot);
        let mut snapshot = api.read().await?;
        assert_eq!(snapshot.items::<Order>().filter(ink).count().await?, 1000);
        Ok::<(), Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn own_sql_reads_the_snapshot_alone_and_reads_fail_once_it_has_ended_it() {
    let (_service, api) = started();
    block_on(async {
        let orders = api.items::<Order>().without_hooks();
        orders.insert(order("pen")).await?;
        let mut snapshot = api.read().await?;
        assert_eq!(snapshot.items::<Order>().count().await?, 1);
        orders.insert(order("ink")).await?;
        let total = "SELECT COUNT(*) FROM orders";
        assert_eq!(scalar(&mut snapshot, total).await.unwrap(), 1);
        let refused = scalar(&mut snapshot, "DELETE FROM orders RETURNING id").await;
        assert!(refused.is_err(), "the snapshot deletes");
        assert_eq!(orders.count().await?, 2);

        for end in ["COMMIT", "ROLLBACK", "COMMIT; BEGIN"] {
            let mut snapshot = api.read().await?;
            assert_eq!(snapshot.items::<Order>().count().await?, 2);
            assert_eq!(scalar(&mut snapshot, total).await.unwrap(), 2);
            assert_eq!(snapshot.items::<Order>().count().await?, 2);
            script(&mut snapshot, end).await.unwrap();
            for _ in 0..2 {
                let ended = snapshot.items::<Order>().count().await.unwrap_err();
                assert!(ended.to_string().contains("COMMIT"), "{end}: {ended}");
            }
        }
        Ok::<(), Error>(())
    })
    .unwrap();
}

async fn scalar(snapshot: &mut ReadTransaction, sql: &'static str) -> sqlx::Result<i64> {
    if let Some(connection) = snapshot.sqlite() {
        return sqlx::query_scalar(sql).fetch_one(connection).await;
    }
    let connection = snapshot.postgres().expect("PostgreSQL");
    sqlx::query_scalar(sql).fetch_one(connection).await
}

async fn script(snapshot: &mut ReadTransaction, sql: &'static str) -> sqlx::Result<()> {
    if let Some(connection) = snapshot.sqlite() {
        return sqlx::raw_sql(sql).execute(connection).await.map(drop);
    }
    let connection = snapshot.postgres().expect("PostgreSQL");
    sqlx::raw_sql(sql).execute(connection).await.map(drop)
}

#[apply(every_database)]
fn patterns_match_in_transactions_as_outside() {
    let (_service, api) = started();
    block_on(async {
        let orders = api.items::<Order>().without_hooks();
        for article in ["a*b?c[d", "A*B?C[D", "abcd", "", "[d]", "a\nb"] {
            orders.insert(order(article)).await?;
        }
        for pattern in [
            "a%", "%d", "%*%?%", "a*b%[d", "[%", "%", "a%b", "%]", "a%c%d", "%a%",
        ] {
            for filter in [Order::ARTICLE.like(pattern), Order::ARTICLE.ilike(pattern)] {
                let outside = api
                    .items::<Order>()
                    .filter(filter.clone())
                    .limit(9)
                    .all()
                    .await?;
                let mut transaction = api.begin().await?;
                let within = transaction.items::<Order>().filter(filter.clone());
                assert_eq!(
                    within.limit(9).all().await?,
                    outside,
                    "{filter:?} {pattern}"
                );
            }
        }
        Ok::<(), Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn transaction_that_keeps_writers_of_sqlite_waiting_for_long_is_logged() {
    let (_service, api) = started();
    if Backend::under_test() == Backend::Postgres {
        // Others write beside it.
        return;
    }
    block_on(async {
        let log = watch::keep();
        let mut long = api.begin().await?;
        long.items().insert(order("pen")).await?;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        long.commit(()).await?;
        let text = log.text();
        let logged = text
            .lines()
            .find(|it| it.contains("kept all other writers waiting"));
        let logged = logged.expect("a warning");
        for words in ["WARN", "held=1.", "`Api::read`"] {
            assert!(logged.contains(words), "{logged}");
        }
        Ok::<(), Error>(())
    })
    .unwrap();
}

//! The hooks after a write: called once the write is committed, which they can neither undo nor hide.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use resource_runtime::schema::Kind;
use resource_runtime::{
    Api, ApiResource, Change, FieldValue, HookError, HookResult, RecordError, Validator, Value,
    WriteContext,
};
use resource_tests::{
    Backend, InProcessApi, Service, TestDatabase, apply, assert_created, assert_error,
    assert_no_content, block_on, every_database,
};
use serde_json::json;

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0")]
struct Order {
    id: i64,
    #[resource(unique)]
    article: String,
    #[resource(default = 1)]
    count: i32,
}

/// The call of a hook: its name, the item, and the facts of its context.
#[derive(Debug, Clone, PartialEq)]
struct News {
    hook: &'static str,
    article: String,
    count: i32,
    id: Option<Value>,
    method: String,
    count_changes: bool,
    /// Number of orders that another connection saw at that moment.
    durable: i64,
}

#[derive(Debug, Clone)]
struct Post {
    news: Arc<Mutex<Vec<News>>>,
    database: TestDatabase,
}

impl Post {
    fn record(&self, hook: &'static str, order: &Order, change: &Change<Order>) -> HookResult {
        // Other threads serve the connections while this one waits for another program.
        let durable = tokio::task::block_in_place(|| {
            let mut other = self.database.other_program();
            other.text("SELECT CAST(COUNT(*) AS TEXT) FROM orders")
        });
        self.news.lock().unwrap().push(News {
            hook,
            article: order.article.clone(),
            count: order.count,
            id: change.id().cloned(),
            method: change.method().to_string(),
            count_changes: change.changes(Order::COUNT),
            durable: durable.parse()?,
        });
        match order.article.as_str() {
            "error" => Err(HookError::refused("too late")),
            "failure" => Err("x".parse::<i32>().unwrap_err().into()),
            "panic" => panic!("a hook panics"),
            _ => Ok(()),
        }
    }
}

impl Validator<Order> for Post {
    async fn before_create(
        &self,
        order: &mut Order,
        _: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        order.count *= 2;
        Ok(())
    }

    async fn after_create(&self, order: &Order, change: &Change<Order>) -> HookResult {
        self.record("created", order, change)
    }

    async fn after_update(&self, order: &Order, change: &Change<Order>) -> HookResult {
        self.record("updated", order, change)
    }

    async fn after_delete(&self, order: &Order, change: &Change<Order>) -> HookResult {
        self.record("deleted", order, change)
    }
}

const ORDERS: &str = "/api/1.0/orders";

fn orders() -> (Service, Post) {
    let database = TestDatabase::default();
    let post = Post {
        news: Arc::default(),
        database: database.clone(),
    };
    let validator = post.clone();
    let service = Service::start_on(&database, |database| {
        Api::builder()
            .resource_with::<Order>(validator)
            .build(database)
    });
    (service, post)
}

#[apply(every_database)]
fn after_hooks_are_called_once_the_write_is_committed() {
    let (service, post) = orders();
    let path = service.create(ORDERS, &json!({"article": "pen", "count": 2}));
    assert_no_content(&service.put(&path, &json!({"count": 9})));
    assert_no_content(&service.delete(&path));
    let news = |hook, method: &str, count, count_changes, durable| News {
        hook,
        article: String::from("pen"),
        count,
        id: Some(Value::Integer(1)),
        method: String::from(method),
        count_changes,
        durable,
    };
    assert_eq!(
        *post.news.lock().unwrap(),
        [
            news("created", "POST", 4, true, 1),
            news("updated", "PUT", 9, true, 1),
            news("deleted", "DELETE", 9, false, 0),
        ]
    );
}

#[apply(every_database)]
fn failing_after_hook_does_not_change_the_response() {
    let (service, post) = orders();
    for article in ["error", "failure", "panic"] {
        let path = assert_created(&service.post(ORDERS, &json!({"article": article})));
        assert_no_content(&service.put(&path, &json!({"count": 3})));
        assert_eq!(service.read(&path)["count"], 3);
        assert_no_content(&service.delete(&path));
    }
    assert_eq!(post.news.lock().unwrap().len(), 9);
}

#[apply(every_database)]
fn after_hooks_are_not_called_for_refused_or_empty_writes() {
    let (service, post) = orders();
    let pen = service.create(ORDERS, &json!({"article": "pen"}));
    let ink = service.create(ORDERS, &json!({"article": "ink"}));
    assert_error(
        &service.post(ORDERS, &json!({"article": "pen"})),
        400,
        10030,
    );
    assert_error(&service.put(&ink, &json!({"article": "pen"})), 400, 10030);
    assert_error(&service.put(&pen, &json!({"count": "x"})), 400, 10010);
    assert_no_content(&service.put(&pen, &json!({})));
    assert_error(&service.delete("/api/1.0/orders/9"), 404, 10001);
    assert_eq!(post.news.lock().unwrap().len(), 2);
}

/// The number of times that each [`Counted`] was made of a value.
static MADE: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

#[derive(Debug, Clone, Copy)]
struct Counted(usize);

impl FieldValue for Counted {
    const KIND: Kind = Kind::BigInteger;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let number = usize::try_from(i64::from_value(value)?).unwrap();
        MADE[number].fetch_add(1, Ordering::SeqCst);
        Ok(Self(number))
    }

    fn to_value(&self) -> Value {
        Value::Integer(i64::try_from(self.0).unwrap())
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Quiet", url = "/quiet", version = "1.0")]
struct Quiet {
    id: i64,
    number: Counted,
    count: i32,
}

/// A validator with a hook after creations alone.
struct AfterCreate;

impl Validator<Quiet> for AfterCreate {
    async fn after_create(&self, _: &Quiet, _: &Change<Quiet>) -> HookResult {
        Ok(())
    }
}

#[apply(every_database)]
fn item_is_kept_for_a_hook_after_its_write_only_where_there_is_one() {
    let api = InProcessApi::new(Api::builder().resource_with::<Quiet>(AfterCreate));
    // A number of its own for each of the tests that run at the same time.
    let number = 1 + Backend::under_test() as usize;
    let made = || MADE[number].swap(0, Ordering::SeqCst);
    block_on(async {
        let (id, number) = (0, Counted(number));
        let quiet = Quiet {
            id,
            number,
            count: 1,
        };
        let id = api.items().insert(quiet).await?.id;
        made();
        let mut transaction = api.begin().await?;
        let items = transaction.items::<Quiet>();
        items.update(id).set(Quiet::COUNT, 2).await?;
        transaction.commit(()).await?;
        api.items::<Quiet>().update(id).set(Quiet::COUNT, 3).await?;
        // One for the validator of each update.
        assert_eq!(made(), 2);
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
}

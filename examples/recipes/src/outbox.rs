//! Publishes an event for each new order, in order and at least once.
//!
//! A service that stores an order and then sends a message loses the message if it crashes in between, and one that
//! sends first tells of orders that do not exist. Here the event is a row that the transaction of the order writes, and
//! a worker publishes these rows one after the other and deletes them.

use std::error::Error as StdError;
use std::time::Duration;

use resource_runtime::{
    Api, ApiBuilder, ApiResource, Error, ErrorKind, HookResult, Validator, WriteContext, new,
};

/// An order of a client.
#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Outbox)]
pub struct Order {
    /// The key, which the database assigns.
    pub id: i64,
    /// The ordered ware.
    #[resource(max_length = 80)]
    pub ware: String,
}

/// An event that is not published yet; not served.
#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
pub struct Event {
    /// The key, in the order of the events; receivers recognise by it what they have already.
    pub id: i64,
    /// The event in words.
    pub text: String,
}

/// Writes the event of each new order in the order's transaction.
#[derive(Debug, Default)]
pub struct Outbox;

impl Validator<Order> for Outbox {
    async fn row_created(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let text = format!("order {} of {}", order.id, order.ware);
        context
            .items::<Event>()
            .insert(new!(Event { text }))
            .await?;
        Ok(())
    }
}

/// The reason for which an event is not published.
pub type Failure = Box<dyn StdError + Send + Sync>;

const POLL: Duration = Duration::from_secs(1);

/// The API of the orders, with the table of the events.
pub fn api() -> ApiBuilder {
    Api::builder().resource::<Order>().table::<Event>()
}

/// Publishes events until the service stops, as a task of its own: `tokio::spawn(run(api, publish))`.
///
/// One such task runs for all instances of the service together: several would publish events twice. On PostgreSQL the
/// events of orders that are created at the same moment may come in either order.
pub async fn run<F>(api: Api, publish: impl Fn(i64, String) -> F) -> Result<(), Error>
where
    F: Future<Output = Result<(), Failure>>,
{
    loop {
        match publish_all(&api, &publish).await {
            Err(error) if !error.is_retryable() => return Err(error),
            _ => {}
        }
        tokio::select! {
            biased;
            () = api.stopping() => return Ok(()),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// Publishes the events that there are, up to the first that cannot be published.
pub async fn publish_all<F>(api: &Api, publish: impl Fn(i64, String) -> F) -> Result<(), Error>
where
    F: Future<Output = Result<(), Failure>>,
{
    let events = api.items::<Event>();
    while let Some(event) = events.order_by(Event::ID.asc()).first().await? {
        if publish(event.id, event.text).await.is_err() {
            return Ok(());
        }
        match events.delete(event.id).await {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use resource_testing::TestApi;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn each_order_is_published_once_and_in_order() {
        let api = TestApi::new(api()).await;
        for ware in ["tea", "cup", "pot"] {
            api.anonymous()
                .post("/orders", json!({"ware": ware}))
                .await
                .assert_status(201);
        }
        let sent = Mutex::new(Vec::new());
        let publish = |_, text| {
            sent.lock().unwrap().push(text);
            async { Ok(()) }
        };
        publish_all(&api, publish).await.unwrap();
        publish_all(&api, publish).await.unwrap();
        let expected = ["order 1 of tea", "order 2 of cup", "order 3 of pot"];
        assert_eq!(*sent.lock().unwrap(), expected);
        assert_eq!(api.items::<Event>().count().await.unwrap(), 0);
    }

    #[tokio::test]
    async fn an_order_that_is_not_stored_has_no_event() {
        let api = TestApi::new(api()).await;
        let long = "x".repeat(81);
        api.anonymous()
            .post("/orders", json!({"ware": long}))
            .await
            .assert_error(400, 10010);
        let mut transaction = api.begin().await.unwrap();
        transaction
            .items::<Order>()
            .insert(new!(Order { ware: "tea" }))
            .await
            .unwrap();
        assert_eq!(transaction.items::<Event>().count().await.unwrap(), 1);
        drop(transaction);
        assert_eq!(api.items::<Event>().count().await.unwrap(), 0);
    }

    #[tokio::test]
    async fn an_event_that_cannot_be_published_keeps_the_later_ones_waiting() {
        let api = TestApi::new(api()).await;
        for ware in ["tea", "cup"] {
            api.anonymous()
                .post("/orders", json!({"ware": ware}))
                .await
                .assert_status(201);
        }
        let tried = Mutex::new(Vec::new());
        let refuse = |id, _| {
            tried.lock().unwrap().push(id);
            async { Err("no connection".into()) }
        };
        publish_all(&api, refuse).await.unwrap();
        assert_eq!(*tried.lock().unwrap(), [1]);
        assert_eq!(api.items::<Event>().count().await.unwrap(), 2);
    }

    #[tokio::test]
    async fn the_worker_ends_with_the_service() {
        let api = TestApi::new(api()).await;
        api.anonymous()
            .post("/orders", json!({"ware": "tea"}))
            .await
            .assert_status(201);
        let worker = tokio::spawn(run(Api::clone(&api), |_, _| async { Ok(()) }));
        while api.items::<Event>().count().await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
        api.stop();
        worker.await.unwrap().unwrap();
    }
}

//! Sends a new order until the service answers, and never creates it twice.
//!
//! A client whose connection breaks does not know if its order was stored: sent again there may be two, not sent again
//! there may be none. Here the order is kept with a key, and sent byte for byte until an answer arrives, after waits that
//! double. The service answers a key that it knows by the item that it stored. A refusal ends the attempts.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::http::{Request, Response, StatusCode};
use resource_runtime::{Api, ApiBuilder, ApiResource};

use crate::{Failure, refusal};

/// An order of a client.
#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0")]
#[resource(idempotency(required))]
pub struct Order {
    /// The key, which the database assigns.
    pub id: i64,
    /// The ordered ware.
    #[resource(max_length = 80)]
    pub ware: String,
}

/// An order that the service has not confirmed. The client stores it before the first attempt, and sends the same one
/// after a restart of its own.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Pending {
    /// The key, a random UUID.
    pub key: String,
    /// The body of the request.
    pub body: String,
}

const LONGEST: Duration = Duration::from_mins(1);

/// The API of the orders, which keeps keys for a day: longer than any client tries.
pub fn api() -> ApiBuilder {
    let builder = Api::builder().resource::<Order>();
    builder.idempotency_keys(Duration::from_hours(24))
}

/// Sends the order until there is an answer, and returns the path of its item; fails where the order is refused.
///
/// `send` is any HTTP client that ends by itself where no answer comes, and `wait` is `tokio::time::sleep`.
pub async fn create(
    send: impl AsyncFn(Request<String>) -> Result<Response<Bytes>, Failure>,
    wait: impl AsyncFn(Duration),
    path: &str,
    order: &Pending,
) -> Result<String, Failure> {
    let mut pause = Duration::from_secs(1);
    loop {
        let request = Request::post(path).header("Idempotency-Key", &order.key);
        let request = request.header(CONTENT_TYPE, "application/json");
        let answer = send(request.body(order.body.clone())?).await.ok();
        if let Some(answer) = answer {
            let header = |name| answer.headers().get(name)?.to_str().ok();
            let status = answer.status();
            if !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS {
                let location = header(LOCATION).map(str::to_owned);
                return location.ok_or_else(|| refusal(&answer));
            }
            let asked = header(RETRY_AFTER).and_then(|seconds| seconds.parse().ok());
            pause = pause.max(Duration::from_secs(asked.unwrap_or(0)));
        }
        wait(pause).await;
        pause = LONGEST.min(pause.saturating_mul(2));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use resource_testing::TestApi;

    use super::*;
    use crate::answer;

    fn order(key: &str, body: &str) -> Pending {
        let (key, body) = (key.to_owned(), body.to_owned());
        Pending { key, body }
    }

    #[tokio::test]
    async fn an_order_whose_answers_are_lost_is_created_once() {
        let api = TestApi::new(api()).await;
        let (attempts, waits) = (Cell::new(0), RefCell::new(Vec::new()));
        let wait = async |pause: Duration| waits.borrow_mut().push(pause.as_secs());
        let send = async |request| {
            attempts.set(attempts.get() + 1);
            let busy = Response::builder().status(503).header(RETRY_AFTER, "30");
            match attempts.get() {
                1 => Err("no connection".into()),
                2 | 3 => Err(format!("lost: {:?}", answer(&api, request).await).into()),
                4 => Ok(busy.body(Bytes::new()).unwrap()),
                _ => Ok(answer(&api, request).await),
            }
        };
        let path = "/api/1.0/orders";
        let tea = order("8e03978e-40d5-43dd-bc93", r#"{"ware":"tea"}"#);
        for _ in ["at first", "after a restart of the client"] {
            let location = create(send, wait, path, &tea).await.unwrap();
            assert_eq!(location, "/api/1.0/orders/1");
        }
        assert_eq!(*waits.borrow(), [1, 2, 4, 30]);
        let wrong = order("5a1c2b7d-93e4-4c55-8f60", r#"{"price":1}"#);
        create(send, wait, path, &wrong).await.unwrap_err();
        assert_eq!(attempts.get(), 7, "a refusal is the last attempt");
        assert_eq!(api.items::<Order>().count().await.unwrap(), 1);
    }
}

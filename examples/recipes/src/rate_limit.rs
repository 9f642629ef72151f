//! A rate limit for each caller: so many requests at once, and then so many a minute.
//!
//! The counters are in the memory of this instance. With several instances each caller gets as many times the limit, or the
//! function asks a counter that all of them share.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use resource_runtime::{Api, ApiBuilder, ApiResource, Principal, Quota};

/// A quotation.
#[derive(Debug, ApiResource)]
#[resource(name = "Quotation", url = "/quotations", version = "1.0")]
#[resource(scopes)]
pub struct Quotation {
    /// The key, which the database assigns.
    pub id: i64,
    /// Its words.
    #[resource(max_length = 500)]
    pub words: String,
}

/// The requests that a caller may send at once.
pub const BURST: u32 = 5;
/// The time after which a caller may send one more.
pub const INTERVAL: Duration = Duration::from_secs(6);

/// The number of callers from which on those are forgotten who have paid.
const MANY: usize = 10_000;

/// The moment of each caller at which all of their requests are paid for (the generic cell rate algorithm).
#[derive(Debug, Default)]
struct Limiter(Mutex<HashMap<Option<String>, SystemTime>>);

impl Limiter {
    fn admit(&self, caller: Option<String>, now: SystemTime) -> Quota {
        let mut paid = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Callers who have paid for everything are like those who never came; each request need not look for them.
        if paid.len() >= MANY {
            paid.retain(|_, until| *until > now);
        }
        let until = paid.entry(caller).or_insert(now);
        let next = (*until).max(now) + INTERVAL;
        match next.duration_since(now + INTERVAL * BURST) {
            Ok(wait) if !wait.is_zero() => Quota::Wait(wait),
            _ => {
                *until = next;
                Quota::Granted
            }
        }
    }
}

/// The API; the service adds the authenticator of its tokens by `ApiBuilder::authorization`.
pub fn api() -> ApiBuilder {
    let limiter = Limiter::default();
    Api::builder()
        .resource::<Quotation>()
        .quota(move |request| {
            let caller = request.context.principal().map(Principal::subject);
            let quota = limiter.admit(caller.map(str::to_owned), request.context.now());
            async move { Ok(quota) }
        })
}

#[cfg(test)]
mod tests {
    use resource_testing::TestApi;

    use super::*;

    #[tokio::test]
    async fn a_caller_waits_and_others_do_not() {
        let api = TestApi::new(api()).await;
        let [ann, ben] = ["ann", "ben"].map(|name| api.as_user(name, ["quotation.read"]));
        for _ in 0..BURST {
            ann.get("/quotations").await.assert_status(200);
        }
        let refused = ann.get("/quotations").await;
        refused.assert_error(429, 10091);
        assert_eq!(refused.header("retry-after"), "6");
        ben.get("/quotations").await.assert_status(200);
        api.clock().advance(INTERVAL);
        ann.get("/quotations").await.assert_status(200);
        ann.get("/quotations").await.assert_error(429, 10091);
    }
}

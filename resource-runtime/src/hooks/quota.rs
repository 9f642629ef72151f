//! The quota of callers: a hook of the application, asked before each operation.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use resource_model::error::ApiError;
use resource_model::schema::Operation;
use tokio::time::timeout;

use super::RequestContext;
use crate::boxed::BoxFuture;
use crate::failure::{Failure, with_sources};

/// The answer of the hook that [`ApiBuilder::quota`](crate::ApiBuilder::quota) sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    /// The operation goes on.
    Granted,
    /// The quota is used up for this time: 429 with the code 10091 and `Retry-After`, in whole seconds, at least one.
    Wait(Duration),
}

/// An operation for which a caller wants to spend quota.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct QuotaRequest {
    /// The request, with its [`principal`](RequestContext::principal) and headers, and with what layers of the host
    /// attached to it, such as the address of its client.
    pub context: RequestContext,
    /// The operation.
    pub operation: Operation,
    /// The name of the resource.
    pub resource: &'static str,
}

/// The answer of a hook, or the cause of its failure.
type QuotaResult = Result<Quota, Box<dyn StdError + Send + Sync>>;

/// The hook, with its types erased.
#[derive(Clone)]
pub(crate) struct QuotaHook(
    Arc<dyn Fn(QuotaRequest) -> BoxFuture<'static, QuotaResult> + Send + Sync>,
);

impl fmt::Debug for QuotaHook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("QuotaHook")
    }
}

impl QuotaHook {
    pub(crate) fn new<A>(hook: impl Fn(QuotaRequest) -> A + Send + Sync + 'static) -> Self
    where
        A: Future<Output = QuotaResult> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(hook(request))))
    }

    /// Spends quota, or refuses the request. A hook that fails or takes longer than `limit` is a failure of the service:
    /// it neither lets everybody in nor blames the client.
    pub(crate) async fn spend(
        &self,
        request: QuotaRequest,
        limit: Duration,
    ) -> Result<(), Failure> {
        let Self(hook) = self;
        match timeout(limit, hook(request)).await {
            Ok(Ok(Quota::Granted)) => Ok(()),
            Ok(Ok(Quota::Wait(time))) => Err(ApiError::quota_used_up(whole_seconds(time)).into()),
            Ok(Err(cause)) => Err(Failure::internal(with_sources(
                "the quota hook failed",
                &*cause,
            ))),
            Err(_) => Err(Failure::internal(format!(
                "the quota hook took longer than {limit:?}"
            ))),
        }
    }
}

/// The seconds of a time to wait, rounded up: a client that came back a moment too early would be refused once more.
fn whole_seconds(time: Duration) -> u64 {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    seconds.max(1)
}

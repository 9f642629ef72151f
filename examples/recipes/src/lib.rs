//! Recipes: short program parts for tasks that many services have, each with the tests that prove it.
//!
//! - [`import`] stores the rows of a long file beside clients, and resumes after a failure.
//! - [`background_job`] works through a table of jobs, with several workers and later attempts after failures.
//! - [`outbox`] publishes an event for each new order, in order and at least once.
//! - [`multi_tenancy`] shows each tenant its own items alone, and counts the items of each tenant.
//! - [`soft_delete`] keeps deleted notes in a trash, from which their owner restores them.
//! - [`transfer`] changes two accounts in one transaction, by an endpoint of its own.
//! - [`many_to_many`] gives articles tags, and tags articles.
//! - [`search_box`] makes what people type a filter.
//! - [`upload`] keeps files of users in a folder.
//! - [`rate_limit`] lets each caller send so many requests at once, and then so many a minute.
//! - [`tls`] serves by HTTPS without a proxy, and takes renewed certificates.
//! - [`traces`] sends the traces of a service to a collector, and continues those of its callers.
//!
//! And what clients do, each with the service that it needs:
//!
//! - [`export`] writes all items to a file, and resumes after the answer was cut off.
//! - [`form`] edits an item, and never overwrites what others changed.
//! - [`retry`] sends a new order until it is answered, and never creates it twice.
//! - [`infinite_scroll`] reads page by page, and neither skips nor repeats items while others come and go.

pub mod background_job;
pub mod export;
pub mod form;
pub mod import;
pub mod infinite_scroll;
pub mod many_to_many;
pub mod multi_tenancy;
pub mod outbox;
pub mod rate_limit;
pub mod retry;
pub mod search_box;
pub mod soft_delete;
pub mod tls;
pub mod traces;
pub mod transfer;
pub mod upload;

use axum::body::Bytes;
use axum::http::Response;

/// The reason for which a client has not got what it wanted: no answer, or a refusal.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The error of an answer, in its words.
fn refusal(answer: &Response<Bytes>) -> Failure {
    String::from_utf8_lossy(answer.body()).into()
}

/// Sends a client's request into the API, without a port.
#[cfg(test)]
async fn answer(
    api: &resource_testing::TestApi,
    request: axum::http::Request<String>,
) -> Response<Bytes> {
    let answer = api.anonymous().request(request.map(Into::into)).await;
    let mut response = Response::new(answer.body().to_vec().into());
    *response.status_mut() = answer.status();
    *response.headers_mut() = answer.headers().clone();
    response
}

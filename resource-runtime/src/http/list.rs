//! The handler of `GET <collection>`, whose answer may begin while its rows are still read.

use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, Version};
use axum::response::Response;
use resource_model::error::DatabaseResult;
use resource_model::query;
use resource_model::schema::Operation;
use tracing::Instrument as _;

use super::respond::{BodyChannel, PageEncoder, streaming_response};
use super::{ServedResource, extract};
use crate::failure::Failure;
use crate::operation;

/// Answers with a page of the items, and their total number.
pub(super) async fn list(
    State(resource): State<Arc<ServedResource>>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    let caller = resource.admit(Operation::List, &request).await?;
    let service = &resource.service;
    let view = service.view(&caller);
    extract::require_json(&request.headers)?;
    let parameters = extract::list_parameters(request.uri.query(), resource.unknown_parameters)?;
    let (page, limits) = (service.page_limits, service.query_limits);
    let mut query = query::list(view, &parameters, page, limits)?;
    query.selection = service.reading(view, query.selection);
    // HTTP/1.0 ends a body with its connection, whether or not the body is whole.
    let can_be_cut_off = request.version > Version::HTTP_10;
    let encoder = resource.encoder(&caller, query.selection.as_ref(), request);
    let channel = Arc::new(BodyChannel::new(
        Arc::clone(&resource.unsent),
        can_be_cut_off,
    ));
    let offered = Arc::clone(&channel);
    // A new encoder for each attempt to read the page.
    let page = move || PageEncoder::new(encoder.clone(), offered.clone());
    let reading = Box::pin(operation::list(service, &caller, &query, page));
    Ok(sent(reading, &channel).await?)
}

/// A page that is read, with the total number of items.
type Read = DatabaseResult<(PageEncoder, u64)>;

/// Answers with the whole page, or with the first piece of a long one as soon as there is one. A task then
/// reads the rest, however fast the client takes it.
async fn sent(
    mut reading: Pin<Box<impl Future<Output = Read> + Send + 'static>>,
    channel: &BodyChannel,
) -> DatabaseResult<Response> {
    tokio::select! {
        // Polled first: a reading that has failed already is answered as a failure, not begun and cut off.
        biased;
        read = &mut reading => {
            let (page, total) = read?;
            page.into_response(total)
        }
        chunks = channel.chunks() => {
            let reading = tokio::spawn(read_on(reading).in_current_span());
            Ok(streaming_response(chunks, reading))
        }
    }
}

/// Reads the rest of a page that is being sent.
async fn read_on(reading: impl Future<Output = Read>) {
    let ended = reading.await.and_then(|(page, total)| page.end(total));
    if let Err(failure) = ended {
        // A client that has gone is no failure: its body aborted this task before it dropped the pieces, and
        // the abort takes effect here, before anything is logged.
        tokio::task::yield_now().await;
        tracing::error!(
            cause = %failure,
            "a list was cut off: it could not be read to its end"
        );
    }
}

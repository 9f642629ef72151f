//! The handler of `GET <collection>`, whose response may begin while its rows are still read.

use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Request, Version};
use axum::response::Response;
use resource_model::error::DatabaseResult;
use resource_model::query;
use resource_model::schema::Operation;
use tracing::Instrument as _;

use super::respond::{self, BodyChannel, PageEncoder, streaming_response};
use super::{ServedResource, extract};
use crate::failure::Failure;
use crate::operation;
use crate::store::CursorPage;

/// Responds with a page of the items, and their total number.
pub(super) async fn list(
    State(resource): State<Arc<ServedResource>>,
    request: Request<Body>,
) -> Result<Response, Failure> {
    let (request, _) = request.into_parts();
    // Admission comes first: a refused caller learns nothing about parameters and attributes.
    let caller = resource.admit(Operation::List, &request).await?;
    let service = &resource.service;
    let view = service.view(&caller);
    extract::require_accepts_json(&request.headers)?;
    let (page, limits) = (service.page_limits, service.query_limits);
    let (unknown, may_be_uncounted) = (resource.unknown_parameters, page.may_be_uncounted);
    let parameters = extract::list_parameters(request.uri.query(), unknown, may_be_uncounted)?;
    let mut query = query::list(view, &parameters, page, limits)?;
    // More may be read than is shown: a format hook sees the whole item.
    query.selection = service.selection_to_read(view, query.selection);
    let cursor = CursorPage::of(service.definition, &mut query);
    let cursor = cursor.map(|page| (page, Arc::<str>::from(respond::url(&request))));
    // HTTP/1.0 ends a body with its connection, whether or not the body is whole.
    let client_notices_cut_off = request.version > Version::HTTP_10;
    let encoder = resource.encoder(&caller, query.selection.as_ref(), request);
    let channel = Arc::new(BodyChannel::new(
        Arc::clone(&resource.unsent),
        client_notices_cut_off,
    ));
    let links = cursor.as_ref();
    let links = links.and_then(|(page, url)| respond::links(url, page.known_prev(), None));
    let (shared, is_counted) = (Arc::clone(&channel), query.is_counted);
    // A new encoder for each attempt to read the page.
    let page =
        move || PageEncoder::new(encoder.clone(), shared.clone()).with(cursor.clone(), is_counted);
    // On the heap, so that it can be polled here first and moved to a task later.
    let reading = Box::pin(operation::list(service, &caller, &query, page));
    Ok(respond_or_stream(reading, &channel, links).await?)
}

/// A page that is read, with the total number of items.
type PageResult = DatabaseResult<(PageEncoder, u64)>;

/// Responds with the whole page, or with the first chunk of a long one as soon as there is one. A task then
/// reads the rest, however fast the client receives it.
async fn respond_or_stream(
    mut reading: Pin<Box<impl Future<Output = PageResult> + Send + 'static>>,
    channel: &BodyChannel,
    links: Option<HeaderValue>,
) -> DatabaseResult<Response> {
    tokio::select! {
        // Polled first: a reading that has failed already gets an error response, not a body that is cut off.
        biased;
        read = &mut reading => {
            let (page, total) = read?;
            page.into_response(total)
        }
        chunks = channel.chunks() => {
            // The first chunk is there: from now on the status is 200, and a failure
            // can only cut the body off.
            let reading = tokio::spawn(finish_reading(reading).in_current_span());
            Ok(streaming_response(chunks, reading, links))
        }
    }
}

/// Reads the rest of a page that is being sent.
async fn finish_reading(reading: impl Future<Output = PageResult>) {
    let ended = reading.await.and_then(|(page, total)| page.end(total));
    if let Err(failure) = ended {
        // A client that disconnects is no failure: its body aborted this task before it dropped the chunks,
        // and the abort takes effect at this yield, before anything is logged.
        tokio::task::yield_now().await;
        tracing::error!(
            cause = %failure,
            "a list was cut off: it could not be read to its end"
        );
    }
}

//! The handler of `GET <collection>`, whose response may begin while its rows are still read.

use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, Version, header};
use axum::response::Response;
use resource_model::error::{ApiError, DatabaseFailure, DatabaseResult, ErrorCode, Violation};
use resource_model::query::{
    self, ALL, Elements, ListParameters, ListQuery, PageLimits, Selection,
};
use resource_model::schema::Operation;

use super::export::Export;
use super::extract::Format;
use super::middleware::original_uri;
use super::respond::{self, BodyChannel, PageEncoder, streaming_response};
use super::{ServedResource, extract};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::operation;
use crate::store::Neighbours;

/// The greatest number of items of a collection on a page, beside all of its items together.
const MAX_ELEMENTS: u64 = 10_000;

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
    let (page, limits) = (service.page_limits, service.query_limits);
    let (unknown, may_be_uncounted) = (resource.unknown_parameters, page.may_be_uncounted);
    let (parameters, named) =
        extract::list_parameters(request.uri.query(), unknown, may_be_uncounted, view)?;
    let format = extract::list_format(&request.headers, named.as_deref())?;
    if format != Format::Json || parameters.limit.as_deref() == Some("all") {
        require_lines(&parameters, format, page, request.version)?;
    }
    let mut query = query::list(view, &parameters, page, limits)?;
    let selection = query.selection.as_ref();
    if let Some(elements) = selection.and_then(|it| it.elements.as_deref()) {
        require_items(elements, &query, format)?;
    }
    // Only a page of JSON has a total.
    query.is_counted &= format == Format::Json;
    // More may be read than is shown: a format hook sees the whole item.
    query.selection = service.selection_to_read(view, query.selection);
    if format != Format::Json {
        // Without a selection, the encoder would be that of JSON.
        query.selection.get_or_insert_with(|| Selection::all(view));
    }
    // A client that names the format in the URL is often a browser, which should save the file.
    let is_download = format == Format::Csv && named.is_some_and(|it| !it.is_empty());
    let attachment = is_download.then_some(HeaderValue::from_static("attachment"));
    let response = send(&resource, caller, query, format, request).await;
    let response = resource.cached(response.map_err(rejected_value)?);
    let name = header::CONTENT_DISPOSITION;
    Ok(respond::with_header(response, name, attachment))
}

/// Refuses a filter with a value that the database rejects, as the type of a column that others made does.
fn rejected_value(failure: Failure) -> Failure {
    match failure {
        Failure::Database(DatabaseFailure::ConstraintViolation(Violation::Check(..), _)) => {
            let problem =
                "`filter`: a value is none of the type of the column that it is compared with";
            Failure::refused(ErrorCode::MalformedFilter, problem)
        }
        failure => failure,
    }
}

/// Refuses parameters that contradict a list of lines, or of all items.
fn require_lines(
    parameters: &ListParameters,
    format: Format,
    page: PageLimits,
    version: Version,
) -> Result<(), ApiError> {
    let is_given = |text: &Option<String>| text.as_ref().is_some_and(|it| !it.is_empty());
    let has_cursor = is_given(&parameters.cursor) || is_given(&parameters.count);
    let is_all = page.allows_all && parameters.limit.as_deref() == Some("all");
    let mut code = ErrorCode::MalformedPaging;
    let problem = if format != Format::Json && has_cursor {
        "`cursor` and `count` go with pages of JSON; lists of lines have neither"
    } else if is_all && format == Format::Json {
        "`limit=all` takes `format=ndjson` or `format=csv`, whose items a client can read one by one"
    } else if is_all && is_given(&parameters.offset) {
        "`limit=all` begins at the first item; leave `offset` out"
    } else if is_all && is_given(&parameters.order) {
        code = ErrorCode::MalformedOrder;
        "`limit=all` lists items in the order of their key; leave `order` out"
    } else if is_all && version < Version::HTTP_11 {
        "`limit=all` takes HTTP/1.1 or later, as clients of HTTP/1.0 would not notice that a list is cut off; let a \
         proxy in between speak HTTP/1.1 to this service"
    } else {
        return Ok(());
    };
    Err(ApiError::new(code, problem))
}

/// Refuses a collection where each row is an item, and where its items are too many.
fn require_items(elements: &Elements, query: &ListQuery, format: Format) -> Result<(), ApiError> {
    let (limit, most) = (query.limit, elements.limit);
    let problem = if format == Format::Csv {
        "a line of CSV holds no collection; take JSON or `format=ndjson`".to_owned()
    } else if limit == ALL {
        "a list of all items holds no collection; read pages".to_owned()
    } else if query.seek.is_some() {
        "a page by `cursor` holds no collection; read it by `offset`".to_owned()
    } else if limit.saturating_mul(most) > MAX_ELEMENTS {
        let name = elements.collection.name();
        format!(
            "{limit} items with {most} of `{name}` each are more than {MAX_ELEMENTS}; lower one `limit`"
        )
    } else {
        return Ok(());
    };
    let problem = format!("`fields`: {problem}");
    Err(ApiError::new(ErrorCode::MalformedFields, problem))
}

/// Responds with the items of a query that was found to be sound.
async fn send(
    resource: &Arc<ServedResource>,
    caller: Caller,
    mut query: ListQuery,
    format: Format,
    request: Parts,
) -> Result<Response, Failure> {
    let cursor = Neighbours::of(resource.service.definition, &mut query);
    let cursor = cursor.map(|page| (page, Arc::<str>::from(respond::url(original_uri(&request)))));
    // HTTP/1.0 ends a body with its connection, whether or not the body is whole.
    let client_notices_cut_off = request.version > Version::HTTP_10;
    let encoder = resource.encoder(&caller, query.selection.as_ref(), format, request, 2);
    if query.limit == ALL {
        let export = Export {
            resource: Arc::clone(resource),
            caller,
            query,
            encoder,
        };
        return Ok(Box::pin(export.respond()).await?);
    }
    let channel = Arc::new(BodyChannel::new(
        Arc::clone(&resource.unsent),
        client_notices_cut_off,
    ));
    let beside = cursor.clone();
    // The place behind the page is not known when the head of a long one is sent.
    let links = || {
        let (page, url) = beside?;
        respond::links(&url, page.known_prev().as_deref(), None)
    };
    let (shared, is_counted) = (Arc::clone(&channel), query.is_counted);
    // A new encoder for each attempt to read the page.
    let page =
        move || PageEncoder::new(encoder.clone(), shared.clone(), cursor.clone(), is_counted);
    // On the heap, so that it can be polled here first and moved to a task later.
    let reading = Box::pin(operation::list(&resource.service, &caller, &query, page));
    Ok(respond_or_stream(reading, format, &channel, links).await?)
}

/// A page that is read, with the total number of items.
type PageResult = DatabaseResult<(PageEncoder, u64)>;

/// Responds with the whole page, or with the first chunk of a long one as soon as there is one. A task then
/// reads the rest, however fast the client receives it.
async fn respond_or_stream(
    mut reading: Pin<Box<impl Future<Output = PageResult> + Send + 'static>>,
    format: Format,
    channel: &BodyChannel,
    links: impl FnOnce() -> Option<HeaderValue>,
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
            let reading = async { reading.await.and_then(|(page, total)| page.end(total)) };
            let response = streaming_response(format, chunks, reading);
            Ok(respond::with_header(response, header::LINK, links()))
        }
    }
}

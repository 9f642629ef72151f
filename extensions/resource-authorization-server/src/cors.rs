//! CORS for the endpoints of clients: the page of a public client may read its responses.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use crate::authenticate::find_client;
use crate::authorization_server::ServerState;
use crate::client::origin;
use crate::error_response::{EndpointError, EndpointResult};
use crate::form::Form;

/// A web page that sent a request.
pub(super) struct RequestingPage {
    origin: HeaderValue,
    /// The client that the request names; nothing is proven yet.
    client_id: String,
}

pub(super) fn requesting_page(
    request: &HeaderMap,
    form: &Result<Form, EndpointError>,
) -> Option<RequestingPage> {
    let origin = request.get(header::ORIGIN)?.clone();
    // Only the body counts: a page of a public client has no secret, and so no `Authorization`
    // header.
    let client_id = form.as_ref().ok()?.get("client_id").ok()??.to_owned();
    Some(RequestingPage { origin, client_id })
}

/// Allows a page to read the response, an error included, if it has the origin of a redirect URI of
/// the public client that it names. A confidential client is no page: its secret would be in it.
/// `Vary: Origin` is set by the middleware of the routes.
pub(super) async fn with_cors(
    state: &ServerState,
    response: EndpointResult,
    page: Option<RequestingPage>,
) -> Response {
    let mut response = response.unwrap_or_else(EndpointError::into_response);
    if let Some(page) = page
        && is_of_client(state, &page).await
    {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, page.origin);
    }
    response
}

async fn is_of_client(state: &ServerState, page: &RequestingPage) -> bool {
    // If the database fails, the page just cannot read the response; no access depends on it.
    let client = find_client(state, &page.client_id).await.ok().flatten();
    client.is_some_and(|client| {
        // Browsers send an origin in one normal form, so bytes are compared.
        let mut origins = client.redirect_uris.iter().filter_map(origin);
        !client.is_confidential() && origins.any(|it| it.as_bytes() == page.origin.as_bytes())
    })
}

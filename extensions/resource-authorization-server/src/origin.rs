use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use crate::authenticate::find;
use crate::authorization_server::ServerState;
use crate::client::origin;
use crate::error_response::Problem;
use crate::form::Form;

/// A page that asks.
pub(super) struct Page {
    origin: HeaderValue,
    /// The client that it names, whether it is that or not.
    client: String,
}

pub(super) fn page(request: &HeaderMap, form: &Result<Form, Problem>) -> Option<Page> {
    let origin = request.get(header::ORIGIN)?.clone();
    let client = form.as_ref().ok()?.get("client_id").ok()??.to_owned();
    Some(Page { origin, client })
}

/// The answer, which a page may read that stands where the users of a public client are sent back
/// to: also what it did wrong. A client with a secret is no page. That it differs by who asks the
/// routes tell.
pub(super) async fn readable(
    state: &ServerState,
    answer: Result<Response, Problem>,
    page: Option<Page>,
) -> Response {
    let mut answer = answer.unwrap_or_else(Problem::into_response);
    if let Some(page) = page
        && stands_there(state, &page).await
    {
        let headers = answer.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, page.origin);
    }
    answer
}

async fn stands_there(state: &ServerState, page: &Page) -> bool {
    let client = find(state, &page.client).await.ok().flatten();
    client.is_some_and(|client| {
        let mut own = client.redirect_uris.iter().filter_map(origin);
        !client.is_confidential() && own.any(|own| own.as_bytes() == page.origin.as_bytes())
    })
}

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::answer::Problem;
use super::authenticate::find;
use super::client::{Authorized as _, origin};
use super::form::Form;
use super::shared::Shared;

/// The client that a request names, whether it is that or not.
pub(super) fn named(form: &Result<Form, Problem>) -> Option<String> {
    let form = form.as_ref().ok()?;
    form.get("client_id").ok().flatten().map(str::to_owned)
}

/// The answer, which a page may read that stands where the users of a public client are sent back
/// to: also what it did wrong. A client with a secret is no page.
pub(super) async fn readable(
    shared: &Shared,
    answer: Result<Response, Problem>,
    named: Option<&str>,
    request: &HeaderMap,
) -> Response {
    let mut answer = answer.unwrap_or_else(Problem::into_response);
    let headers = answer.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let (Some(asking), Some(named)) = (request.get(header::ORIGIN), named)
        && stands_at(shared, named, asking).await
    {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, asking.clone());
    }
    answer
}

async fn stands_at(shared: &Shared, named: &str, asking: &HeaderValue) -> bool {
    let client = find(shared, named).await.ok().flatten();
    client.is_some_and(|client| {
        let mut own = client.redirect_uris.iter().filter_map(origin);
        !client.is_confidential() && own.any(|own| own.as_bytes() == asking.as_bytes())
    })
}

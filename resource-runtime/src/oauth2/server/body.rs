use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::answer::{OauthError, Problem};
use super::form::Form;

/// No request comes near.
const LARGEST: usize = 16 * 1024;

/// The parameters in the body of a request, each of them once.
pub(super) async fn read(request: &Parts, body: Body) -> Result<Form, Problem> {
    let form = read_any(request, body).await?;
    form.check()?;
    Ok(form)
}

/// The same, where it is left to others to see which are there once.
pub(super) async fn read_any(request: &Parts, body: Body) -> Result<Form, Problem> {
    if !is_form(&request.headers) {
        let text = "the body must be application/x-www-form-urlencoded";
        return Err(OauthError::invalid_request(text).into());
    }
    let bytes = to_bytes(body, LARGEST).await;
    let bytes = bytes.map_err(|_| Problem::TooLarge)?;
    let text = str::from_utf8(&bytes);
    let text = text.map_err(|_| OauthError::invalid_request("the body must be UTF-8"))?;
    Ok(Form::parse(text))
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok());
    let essence = content_type.unwrap_or_default().split(';').next();
    let essence = essence.unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

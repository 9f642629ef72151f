use std::error::Error;

use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::LengthLimitError;
use resource_server::BodyTimeout;

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
    let bytes = bytes.map_err(|error| unread(&error))?;
    let text = str::from_utf8(&bytes);
    let text = text.map_err(|_| OauthError::invalid_request("the body must be UTF-8"))?;
    Ok(Form::parse(text))
}

fn unread(error: &axum::Error) -> Problem {
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(current) = cause {
        if current.is::<LengthLimitError>() {
            return Problem::Body(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the body is larger than 16 KiB",
            );
        }
        if current.is::<BodyTimeout>() {
            return Problem::Body(
                StatusCode::REQUEST_TIMEOUT,
                "the body did not arrive in time",
            );
        }
        cause = current.source();
    }
    Problem::Body(
        StatusCode::BAD_REQUEST,
        "the body ended before it was whole",
    )
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok());
    let essence = content_type.unwrap_or_default().split(';').next();
    let essence = essence.unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::{Body, to_bytes};

    use super::{BodyTimeout, Problem, unread};

    fn status(error: &axum::Error) -> u16 {
        match unread(error) {
            Problem::Body(status, _) => status.as_u16(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_body_that_is_too_large_or_too_late_or_broken_is_told_so() {
        let large = to_bytes(Body::from("abc"), 2).await.unwrap_err();
        assert_eq!(status(&large), 413);
        let limit = Duration::from_secs(1);
        assert_eq!(status(&axum::Error::new(BodyTimeout { limit })), 408);
        let broken = std::io::Error::other("the connection broke");
        assert_eq!(status(&axum::Error::new(broken)), 400);
    }
}
